// `npm run check`: types, lint, room rules; the first that fails ends it.
import { pathToFileURL } from 'node:url'
import { prepare, run } from './prepare.mjs'

/** The checks in order, by name. */
export const checks = [
  ['types', ['node_modules/typescript/bin/tsc', '-p', '.']],
  ['lint', ['node_modules/oxlint/bin/oxlint', '--deny-warnings', 'src', 'scripts', 'e2e', 'db', 'bench']],
  ['rooms', ['scripts/check-rooms.ts']],
]

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const node = prepare()
  for (const [name, args] of checks) {
    if (run(node, args) === 0) continue
    console.error(`check failed: ${name}`)
    process.exit(1)
  }
  console.log('types, lint and rooms are in order')
}
