// `node scripts/unit-tests.mjs`: runs the unit and server tests. Each process runs a few files from the same
// folder.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from 'node:test'
import { root } from './prepare.mjs'
import report from './reporter.mjs'

/**
 * Files that take more than 10 s. They start first, so that both cores finish at about the same time. Each
 * one gets a separate process.
 */
const LONG = [
  'model/agreement.test.ts',
  'model/bill.test.ts',
  'src/main/fuzz.test.ts',
  'src/main/faults.test.ts',
  'src/main/kept-versions.test.ts',
  'src/main/atomic.test.ts',
  'src/main/poolers.test.ts',
  'src/features/voice/routes.server.test.ts',
  'src/platform/db/roles.server.test.ts',
  'src/main/places.test.ts',
  'src/features/months/closing-sides.test.ts',
  'src/main/admin.test.ts',
  'src/main/names.test.ts',
  'src/main/failover.test.ts',
  'src/main/tls.test.ts',
  'src/platform/speech/neural-engine.server.test.ts',
  'scripts/dev.test.ts',
  'scripts/train-voice.test.ts',
  'scripts/newcomer-voice.test.ts',
]
/**
 * The number of files per process. Every process spends almost a second loading the server and compiling
 * common code, but only its first file has to wait for that.
 */
const PER_PROCESS = 6
const GROUPS = join(root, 'build/test-groups')

const files = globSync('{src,scripts,model}/**/*.test.ts', { cwd: root }).sort()
const gone = LONG.filter((file) => !files.includes(file))
if (gone.length > 0) throw new Error(`no such test file: ${gone.join(', ')}`)

run({
  files: [...LONG.map((file) => join(root, file)), ...grouped(files.filter((file) => !LONG.includes(file)))],
  cwd: root,
  execArgv: ['--import', join(root, 'scripts/seed.mjs')],
  // Two processes to keep the two cores busy, plus two that are waiting for the database, a retry or a
  // restart.
  concurrency: Number(process.env.TEST_CONCURRENCY ?? 4),
  timeout: 600_000,
})
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(report)
  .pipe(process.stdout)

/**
 * For each group, writes a file that runs the group's test files one after another. Returns the files' paths,
 * slowest groups first.
 */
function grouped(rest) {
  rmSync(GROUPS, { recursive: true, force: true })
  mkdirSync(GROUPS, { recursive: true })
  const folders = Map.groupBy(rest, (file) => dirname(file))
  const isShort = ([folder]) => Number(!/^src\/(main|features)/.test(folder) || folder.endsWith('voice'))
  return [...folders]
    .sort((one, other) => isShort(one) - isShort(other))
    .flatMap(([folder, own]) =>
      Array.from({ length: Math.ceil(own.length / PER_PROCESS) }, (_, nth) => {
        const path = join(GROUPS, `${folder.replaceAll('/', '-')}-${nth + 1}.test.mjs`)
        writeFileSync(path, groupOf(own.slice(nth * PER_PROCESS, (nth + 1) * PER_PROCESS)))
        return path
      }),
    )
}

// Each file is loaded while its suite is being set up, so the file's hooks belong to that suite.
function groupOf(own) {
  return `import { suite } from 'node:test'
for (const file of ${JSON.stringify(own)}) suite(file, () => import(\`${root}/\${file}\`))
`
}
