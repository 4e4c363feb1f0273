// Does what a newcomer to the project would do. In a copy of the project, adds 'fortnight' and a new subject
// to just the data, retrains the reader, and checks that it now reads both. Also checks that the reader
// didn't understand 'fortnight' beforehand. Run `node proofs/newcomer-voice.ts`; it takes as long as
// training.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { labeledIn } from '../scripts/voice-data.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COPIED = [
  'package.json',
  'src/kernel',
  'src/features/voice',
  'data/voice',
  ...['train-voice', 'voice-lab', 'voice-data', 'voice-lines'].map((name) => `scripts/${name}.ts`),
]
const TODAY = '2026-06-17'
const ASKED = 'Maya had an hour of falconry with Sarah Johnson a fortnight ago'

const sentence = (text: string, child: string, tutor: string, date: string, minutes: number) => ({
  today: TODAY,
  children: ['Maya', 'Ethan'],
  tutors: [
    { name: 'David Chen', rate: 45 },
    { name: 'Sarah Johnson', rate: 60 },
  ],
  text,
  sessions: [{ child, tutor, date, minutes, rate: null, subject: 'falconry', notes: null }],
})
const TAUGHT = [
  sentence(
    'a fortnight ago ethan did falconry with chen for an hour',
    'Ethan',
    'David Chen',
    '2026-06-03',
    60,
  ),
  sentence('sarah, maya, falconry, 45 minutes, a fortnight ago', 'Maya', 'Sarah Johnson', '2026-06-03', 45),
  sentence('Chen taught Maya two hours of falconry on Monday', 'Maya', 'David Chen', '2026-06-15', 120),
  sentence(
    'ethan had falconry with sarah yesterday for ninety minutes',
    'Ethan',
    'Sarah Johnson',
    '2026-06-16',
    90,
  ),
]

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-newcomer-'))
try {
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(
    join(folder, 'read.ts'),
    `import { read } from '#features/voice/reading/read.ts'
import { loadWeights } from '#features/voice/reading/weights.server.ts'
const lists = ${JSON.stringify(listsOf())}
console.log(JSON.stringify(read(loadWeights(), { ...lists, transcript: ${JSON.stringify(ASKED)} }).sessions[0]))
`,
  )
  const before = JSON.parse(run('read.ts')) as { day: string; subject: string | null }
  assert.notEqual(before.day, '2026-06-03', 'a fortnight is known already: try another word')
  const words = join(folder, 'src/features/voice/reading/words.json')
  const table = JSON.parse(readFileSync(words, 'utf8')) as {
    spansOfDays: Record<string, number>
    subjects: string[]
  }
  table.spansOfDays.fortnight = 14
  table.subjects.push('falconry')
  writeFileSync(words, JSON.stringify(table))
  writeFileSync(
    join(folder, 'data/voice/newcomer.jsonl'),
    TAUGHT.map((one) => `${JSON.stringify(one)}\n`).join(''),
  )
  console.log(run('scripts/train-voice.ts').trim())
  const { day, subject } = JSON.parse(run('read.ts')) as { day: string; subject: string | null }
  assert.deepEqual([day, subject], ['2026-06-03', 'falconry'])
  console.log(`'${ASKED}': ${day}, ${subject}; before: ${before.day}, ${before.subject}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function listsOf() {
  const [one] = labeledIn([{ author: 'newcomer', text: JSON.stringify(TAUGHT[0]) }])
  return {
    today: TODAY,
    students: one?.children.map((name) => ({ id: name, name })),
    tutors: one?.tutors.map(({ name, rate }) => ({ id: name, name, rate: (rate ?? 0) * 100, subjects: [] })),
  }
}

function run(file: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout
}
