// Exports that no other file uses. They make a file look larger to its readers than it is to its callers.
import { dirname, join } from 'node:path/posix'
import type { SourceFile } from './rooms.ts'

/** Loaded from the build, so no import names it. */
const BUILT = 'src/main/prerender.tsx'
const DECLARED = /^export (?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm
const DESTRUCTURED = /^export const [{[]([^}\]]*)[}\]]/gm
const IMPORTED = /(?:import|export)\s([^'";()]*?)\sfrom '([#.][^']+)'/g
const LOADED = /import\(\s*'([#.][^']+)'/g

/** Returns every export that only its own file uses, one per line. Default exports are left out. */
export function unusedExports(files: SourceFile[]): string[] {
  const exported = new Map(files.map(({ path, text }) => [path, namesIn(text)]))
  const used = new Set(files.flatMap((file) => usedBy(file, exported)))
  const read = [...exported].filter(([path]) => path !== BUILT && !/\.test\.tsx?$/.test(path))
  return read.flatMap(([path, names]) =>
    names
      .filter((name) => !used.has(`${path} ${name}`) && !used.has(`${path} *`))
      .map((name) => `${path}: exports ${name}, which no other file uses. Drop the export, or the code.`),
  )
}

function namesIn(text: string): string[] {
  return [
    ...[...text.matchAll(DECLARED)].map(([, name = '']) => name),
    ...[...text.matchAll(DESTRUCTURED)].flatMap(([, parts = '']) => partsOf(parts, (part) => part.at(-1))),
  ]
}

function usedBy({ path, text }: SourceFile, exported: Map<string, string[]>): string[] {
  const place = (target: string) =>
    target.startsWith('#')
      ? target.replace(/^#(model|db)\//, '$1/').replace('#', 'src/')
      : join(dirname(path), target)
  const imported = [...text.matchAll(IMPORTED)].flatMap(([, clause = '', target = '']) => {
    const names = partsOf(/\{([^}]*)\}/.exec(clause)?.[1] ?? '', (part) => part[0])
    return (clause.includes('*') ? ['*'] : names).map((name) => `${place(target)} ${name}`)
  })
  const loaded = [...text.matchAll(LOADED)].flatMap(([, target = '']) =>
    (exported.get(place(target)) ?? [])
      .filter((name) => new RegExp(`\\b${name}\\b`).test(text))
      .map((name) => `${place(target)} ${name}`),
  )
  return [...imported, ...loaded]
}

/** The names between braces, where "a as b" or "a: b" has two parts. */
function partsOf(list: string, pick: (part: string[]) => string | undefined): string[] {
  return list
    .split(',')
    .map((one) => one.trim().replace(/^type /, ''))
    .flatMap((one) => (one ? (pick(one.split(/ as |: /)) ?? []) : []))
}
