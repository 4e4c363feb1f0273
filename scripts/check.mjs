// `npm run check`: checks formatting, types, lint and room rules, and that the page of promises and the voice
// reader's weights match what they're made from. Stops at the first check that fails.
import { pathToFileURL } from 'node:url'
import { prepare, run } from './prepare.mjs'

/** Runs Prettier on all files it supports, except those in .prettierignore. Unchanged files are skipped. */
export const prettier = ['node_modules/prettier/bin/prettier.cjs', '--cache', '--log-level', 'warn', '.']

export const checks = [
  ['format', [...prettier, '--check']],
  ['types', ['node_modules/typescript-compiler/bin/tsc', '-p', '.']],
  [
    'lint',
    [
      'node_modules/oxlint/bin/oxlint',
      '--deny-warnings',
      'src',
      'scripts',
      'e2e',
      'db',
      'bench',
      'model',
      'proofs',
    ],
  ],
  ['rooms', ['scripts/check-rooms.ts']],
  ['page of promises', ['scripts/promises.ts', '--check']],
  ['weights of the voice reader', ['scripts/train-voice.ts', '--check']],
]

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const node = prepare({ isForTests: true })
  for (const [name, args] of checks) {
    if (run(node, args) === 0) continue
    console.error(`check failed: ${name}`)
    process.exit(1)
  }
  console.log('format, types, lint, rooms, the promises and the weights are in order')
}
