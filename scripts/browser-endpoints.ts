// The browser calls endpoints by method and path. The parts of a declaration that only the server uses would
// be larger than the pages themselves.
import type { Plugin } from 'vite'
import type { ServerSide } from '../src/kernel/endpoint.ts'

/** Endpoint properties that only the server uses. The browser trusts its server's responses. */
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
    limit: true,
  } satisfies Record<keyof ServerSide, true>),
)

interface Property {
  /** This is undefined for a spread. */
  key?: { name?: string }
  start: number
  end: number
}
interface Declaration {
  type: 'CallExpression'
  callee: { name: 'endpoint' }
  arguments: [{ properties: Property[] }]
}

/**
 * Removes from browser scripts the `endpoint({ ... })` properties that only the server uses, and the schemas
 * that only those reference.
 */
export function browserEndpoints(): Plugin {
  return {
    name: 'browser-endpoints',
    apply: 'build',
    transform: {
      filter: { id: /\/src\/.*\.ts$/, code: /\bendpoint\(\{/ },
      handler(code) {
        const cuts: Property[] = []
        visit(this.parse(code))
        return cuts.sort((a, b) => b.start - a.start).reduce(without, code)

        function visit(node: unknown): void {
          if (Array.isArray(node)) return node.forEach(visit)
          if (typeof node !== 'object' || node === null) return
          if (isDeclaration(node))
            cuts.push(...node.arguments[0].properties.filter(({ key }) => SERVER_ONLY.has(key?.name ?? '')))
          Object.values(node).forEach(visit)
        }
      },
    },
  }
}

function isDeclaration(node: object): node is Declaration {
  const { type, callee } = node as Partial<Declaration>
  return type === 'CallExpression' && callee?.name === 'endpoint'
}

/** Returns the code without a property and the comma after it. */
function without(code: string, { start, end }: Property): string {
  return code.slice(0, start) + code.slice(end).replace(/^\s*,/, '')
}
