// The bundler puts whole modules into a script. A page that needs one rule from a module would also load the
// module's form schemas. That's why every declaration becomes a separate module that's loaded only where it's
// used.
import type { Plugin } from 'vite'

interface Node {
  type: string
  start: number
  end: number
  kind?: string
  name?: string
  id?: Node
  local?: Node
  declaration?: Node | null
  declarations?: Node[]
  source?: Node | null
  specifiers?: Node[]
}

/** One declaration, or several that use the same `let` variable. */
interface Part {
  code: string
  names: string[]
  exported: string[]
  /**
   * All identifiers in the declaration's code, even those that just happen to have the same name as another
   * declaration.
   */
  mentioned: Set<string>
}

/** Splits every browser module that consists only of declarations into one module per declaration. */
export function browserParts(): Plugin {
  const parts = new Map<string, string>()
  return {
    name: 'browser-parts',
    apply: 'build',
    resolveId: { filter: { id: /&part=\d+$/ }, handler: (id) => id },
    load: {
      filter: { id: /&part=\d+$/ },
      handler: (id) => ({ code: parts.get(id) ?? '', moduleSideEffects: false, map: { mappings: '' } }),
    },
    transform: {
      order: 'post',
      filter: { id: /\/src\/[^?]*\.ts(\?demo)?$/ },
      handler(code, id) {
        const base = id.includes('?') ? id : `${id}?`
        const split = splitModule(code, (this.parse(code) as unknown as { body: Node[] }).body, base)
        if (!split) return null
        split.parts.forEach((part, at) => parts.set(`${base}&part=${at}`, part))
        return { code: split.exports, moduleSideEffects: false, map: { mappings: '' } }
      },
    },
  }
}

/**
 * Returns the code of the parts and of the module that exports them all. Returns undefined if the module
 * contains anything besides declarations.
 */
export function splitModule(
  code: string,
  body: Node[],
  base: string,
): { parts: string[]; exports: string } | undefined {
  const textOf = ({ start, end }: Node) => code.slice(start, end)
  const imports = body.filter(({ type }) => type === 'ImportDeclaration')
  const passedOn = body.filter(({ type, source }) => type.startsWith('Export') && source)
  const parts: Part[] = []
  for (const node of body.filter((node) => !imports.includes(node) && !passedOn.includes(node))) {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
    const names = declaration && namesOf(declaration)
    if (!names) return undefined
    const exported = declaration === node ? [] : names
    parts.push({ code: textOf(declaration), names, exported, mentioned: mentionedIn(declaration) })
  }
  joinByVariable(parts, body)
  const idOf = (part: Part) => JSON.stringify(`${base}&part=${parts.indexOf(part)}`)
  return {
    parts: parts.map((part) =>
      [
        ...imports.filter((node) => uses(part, node)).map(textOf),
        ...parts
          .filter((other) => other !== part)
          .map((other) => ({
            id: idOf(other),
            names: other.names.filter((name) => part.mentioned.has(name)),
          }))
          .filter(({ names }) => names.length > 0)
          .map(({ id, names }) => `import { ${names.join(', ')} } from ${id}`),
        part.code,
        `export { ${part.names.join(', ')} }`,
      ].join('\n'),
    ),
    exports: [
      ...passedOn.map(textOf),
      ...parts
        .filter(({ exported }) => exported.length > 0)
        .map((part) => `export { ${part.exported.join(', ')} } from ${idOf(part)}`),
    ].join('\n'),
  }
}

/** The names that a statement declares. Undefined if it isn't a declaration. */
function namesOf({ type, id, declarations }: Node): string[] | undefined {
  if (/^(Function|Class)Declaration$/.test(type)) return id?.name ? [id.name] : undefined
  const names = type === 'VariableDeclaration' ? declarations?.map((one) => one.id?.name) : undefined
  return names?.every((name) => name !== undefined) ? names : undefined
}

/**
 * Imported variables can't be assigned to, so all declarations that mention the same `let` variable stay in
 * one module.
 */
function joinByVariable(parts: Part[], body: Node[]): void {
  const variables = body
    .map((node) => node.declaration ?? node)
    .filter(({ kind }) => kind === 'let')
    .flatMap((node) => namesOf(node) ?? [])
  for (const variable of variables) {
    const sharing = parts.filter((part) => part.mentioned.has(variable))
    parts.splice(0, Infinity, joined(sharing), ...parts.filter((part) => !sharing.includes(part)))
  }
}

function joined(parts: Part[]): Part {
  return {
    code: parts.map(({ code }) => code).join('\n'),
    names: parts.flatMap(({ names }) => names),
    exported: parts.flatMap(({ exported }) => exported),
    mentioned: new Set(parts.flatMap(({ mentioned }) => [...mentioned])),
  }
}

function uses(part: Part, { specifiers = [] }: Node): boolean {
  return specifiers.length === 0 || specifiers.some(({ local }) => part.mentioned.has(local?.name ?? ''))
}

function mentionedIn(node: unknown, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found
  const { type, name } = node as Partial<Node>
  if (type === 'Identifier' && name) found.add(name)
  for (const child of Object.values(node)) mentionedIn(child, found)
  return found
}
