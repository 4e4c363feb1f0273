// `node scripts/unit-tests.mjs`: the unit and server tests, each file in its own process.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { root } from './prepare.mjs'
import report from './reporter.mjs'

/** Files that take over 10 s start first, so that one core isn't still busy with one of them when the other is done. */
const LONG = [
  'src/main/model.test.ts',
  'src/main/faults.test.ts',
  'src/platform/db/roles.server.test.ts',
  'src/main/poolers.test.ts',
  'src/main/failover.test.ts',
  'src/features/voice/routes.server.test.ts',
  'src/main/atomic.test.ts',
  'src/main/places.test.ts',
  'src/main/admin.test.ts',
]

const files = globSync('{src,scripts}/**/*.test.ts', { cwd: root }).sort()
const gone = LONG.filter((file) => !files.includes(file))
if (gone.length > 0) throw new Error(`no such test file: ${gone.join(', ')}`)
const rest = files.filter((file) => !LONG.includes(file))

run({
  files: [...LONG, ...rest].map((file) => join(root, file)),
  cwd: root,
  execArgv: ['--import', join(root, 'scripts/seed.mjs')],
  // Two cores, and one more for those that wait for a retry or a restart.
  concurrency: Number(process.env.TEST_CONCURRENCY ?? 3),
  timeout: 600_000,
})
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(report)
  .pipe(process.stdout)
