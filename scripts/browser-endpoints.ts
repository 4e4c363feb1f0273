// To call an endpoint, the browser needs only its method and path. The parts of a declaration that only the
// server uses would be larger than the pages themselves.
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import type { Rules } from '../src/features/access/endpoint.ts'
import type { ServerSide } from '../src/kernel/endpoint.ts'

/**
 * Endpoint properties that only the server uses. `output` is one of them, because the browser trusts its
 * server's responses.
 */
const SERVER_ONLY = new Set(
  Object.keys({
    operation: true,
    summary: true,
    access: true,
    output: true,
    produces: true,
    creates: true,
    maxBytes: true,
    isOwn: true,
    isForCaregivers: true,
    closedTo: true,
    needsAllStudents: true,
    meetsClosedMonths: true,
    isFree: true,
    isAnswer: true,
    proof: true,
    needsProof: true,
    limit: true,
  } satisfies Record<keyof (ServerSide & Rules), true>),
)
/**
 * Properties used to check and reject calls. In the browser, only the demo does that, so these properties go
 * into separate modules.
 */
const CHECKS = ['input', 'refusals']
const FOR_DEMO = '?demo'
const DECLARES = /\bendpoint\(\{/
const READS = /\b[A-Z]\w+\.(input|refusals)\b/

interface Property {
  /** Undefined for a spread. */
  key?: { name?: string }
  argument?: { name?: string }
  start: number
  end: number
}
interface Declaration {
  type: 'CallExpression'
  callee: { name: 'endpoint' }
  arguments: [{ properties: Property[] }]
}
/** A constant object that an endpoint may spread. */
interface Constant {
  type: 'VariableDeclarator'
  id: { name: string }
  init: { type: 'ObjectExpression'; properties: Property[] }
}

/**
 * Removes the `endpoint({ ... })` properties that only the server uses from browser scripts, along with the
 * schemas that only those properties reference.
 */
export function browserEndpoints(): Plugin {
  return {
    name: 'browser-endpoints',
    apply: 'build',
    resolveId: {
      order: 'pre',
      filter: { id: /\.ts$/ },
      async handler(source, importer, options) {
        if (!importer || !/\/browser-demo\/|\?demo$/.test(importer)) return null
        const found = await this.resolve(source, importer, { ...options, skipSelf: true })
        if (!found || found.external || !DECLARES.test(readFileSync(found.id, 'utf8'))) return found
        return found.id + FOR_DEMO
      },
    },
    transform: {
      filter: { id: /\/src\/.*\.tsx?(\?demo)?$/ },
      handler(code, id) {
        const isForDemo = id.endsWith(FOR_DEMO)
        const dropped = new Set([...SERVER_ONLY, ...(isForDemo ? [] : CHECKS)])
        const properties = DECLARES.test(code) ? propertiesOfEndpoints(this.parse(code)) : []
        const kept = properties
          .filter(({ key }) => dropped.has(key?.name ?? ''))
          .sort((a, b) => b.start - a.start)
          .reduce(without, code)
        const read = isForDemo || id.includes('/browser-demo/') ? null : READS.exec(kept)
        if (read) this.error(`${read[0]} isn't in the browser's scripts. Export the schema and use that.`)
        return { code: kept, map: null }
      },
    },
  }
}

/** The properties of all endpoints, including those from spread constants. */
function propertiesOfEndpoints(program: unknown): Property[] {
  const found: Property[] = []
  const constants = new Map<string, Property[]>()
  visit(program)
  // The list grows during the loop, because a constant may spread another one.
  for (const { argument } of found) {
    const { name = '' } = argument ?? {}
    found.push(...(constants.get(name) ?? []))
    constants.delete(name)
  }
  return found

  function visit(node: unknown): void {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    if (isDeclaration(node)) found.push(...node.arguments[0].properties)
    if (isConstant(node)) constants.set(node.id.name, node.init.properties)
    Object.values(node).forEach(visit)
  }
}

function isDeclaration(node: object): node is Declaration {
  const { type, callee } = node as Partial<Declaration>
  return type === 'CallExpression' && callee?.name === 'endpoint'
}

function isConstant(node: object): node is Constant {
  const { type, init } = node as Partial<Constant>
  return type === 'VariableDeclarator' && init?.type === 'ObjectExpression'
}

/** Returns the code without a property and its trailing comma. */
function without(code: string, { start, end }: Property): string {
  return code.slice(0, start) + code.slice(end).replace(/^\s*,/, '')
}
