// Tests what npm start downloads before the server runs. Uses a fake package manager that only records its
// calls.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { removeScratch, scratchFolder } from '#main/testing/scratch.server.ts'

const folder = scratchFolder()
after(() => removeScratch(folder))
const programs = join(folder, 'bin')
const asked = join(folder, 'asked')
const project = join(folder, 'project')

mkdirSync(programs)
mkdirSync(join(project, 'scripts'), { recursive: true })
for (const file of ['prepare.mjs', 'progress.mjs']) cpSync(`scripts/${file}`, join(project, 'scripts', file))
writeFileSync(
  join(project, 'package-lock.json'),
  JSON.stringify({
    packages: {
      '': {},
      'node_modules/one': {},
      'node_modules/@two/two': {},
      'node_modules/three': { dev: true },
      'node_modules/elsewhere': { os: ['none'] },
    },
  }),
)
const seen = join(folder, 'seen')
// Keeps running until the test has read the progress output.
const install = `mkdir -p node_modules/one node_modules/@two/two node_modules/lucide-react/dist/esm
for one in one @two/two; do echo {} > node_modules/$one/package.json; done
touch node_modules/lucide-react/dist/esm/icon.mjs node_modules/lucide-react/dist/esm/icon.mjs.map
for try in $(seq 300); do [ -e ${seen} ] && exit; sleep 0.1; done; exit 1`
for (const [name, work] of [
  ['npm', install],
  ['apt-get', ''],
])
  writeFileSync(
    join(programs, name ?? ''),
    `#!/bin/sh\nPATH=/usr/bin:/bin\necho ${name} $1 $2 $3 >> ${asked}\n${work}\n`,
    {
      mode: 0o755,
    },
  )

/** Runs the part of npm start that comes before building the pages. */
async function prepareWith(
  settings: Record<string, string>,
  options = '',
): Promise<{ code: unknown; lines: string[]; asked: string }> {
  rmSync(asked, { force: true })
  const program = `import('./scripts/prepare.mjs').then((all) => { all.prepare(${options}); all.installSpeech() })`
  const child = spawn(process.execPath, ['-e', program], {
    cwd: project,
    env: { PATH: programs, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (/\d of \d/.test(output)) writeFileSync(seen, '')
    })
  const [code] = (await once(child, 'close')) as unknown[]
  return {
    code,
    lines: output.trim().split('\n'),
    asked: existsSync(asked) ? readFileSync(asked, 'utf8') : '',
  }
}

test('with OFFLINE=1 a start fetches nothing, and names what is missing', async () => {
  assert.deepEqual(await prepareWith({ OFFLINE: '1' }), {
    code: 1,
    lines: [
      'OFFLINE is 1, but packages are missing or out of date. Run "npm start" once without it, or bring node_modules along.',
    ],
    asked: '',
  })
})

test('the first start says at once what it installs, and how far it has come', async () => {
  const { code, lines, asked: before } = await prepareWith({ SPEECH_ENGINE: 'off' })
  assert.equal(code, 0, lines.join('\n'))
  assert.deepEqual(lines, ['Installing 2 packages (a minute or two)...', '  2 of 2 packages'])
  assert.equal(before, 'npm ci --omit=dev --include=optional\n')
  // At this point, the packages are installed but the programs for recordings aren't.
  const { lines: offline, asked: after } = await prepareWith({ OFFLINE: '1' })
  assert.equal(after, '')
  assert.match(offline.join('\n'), /^Voice input takes typed text only/)
})

test('the tools of tests are installed only for tests, beside what is there, and stay for every later start', async () => {
  const modules = join(project, 'node_modules')
  // At this point, the unused files have been deleted.
  assert.deepEqual(readdirSync(join(modules, 'lucide-react/dist/esm')), ['icon.mjs'])
  const forTests = await prepareWith({ SPEECH_ENGINE: 'off' }, '{ isForTests: true }')
  assert.equal(forTests.asked, 'npm install --no-save --include=dev\n')
  assert.equal(forTests.lines[0], 'Installing 1 package (a minute or two)...')
  for (const options of ['{ isForTests: true }', ''])
    assert.equal((await prepareWith({ SPEECH_ENGINE: 'off' }, options)).asked, '')
  appendFileSync(join(project, 'package-lock.json'), ' ')
  const changed = await prepareWith({ SPEECH_ENGINE: 'off' })
  assert.equal(changed.asked, 'npm ci --include=dev --include=optional\n')
})
