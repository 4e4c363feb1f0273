// Does what a newcomer to the project would do (ARCHITECTURE.md, 'Teaching the voice reader a word'). In a copy of the
// project, adds a word for two weeks and a new subject to just the data, retrains the reader, and checks that it
// now reads both. Nobody says 'plimweek', so the reader can't know it already.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ReadSession } from '#features/voice/reading/read.ts'
import type { Labeled } from './voice-data.ts'
import { taskOf } from './voice-lab.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COPIED = ['package.json', 'src', 'scripts', 'data/voice']

function sentence(
  text: string,
  child: string,
  tutor: string,
  date: string,
  minutes: number,
): Omit<Labeled, 'author'> {
  return {
    today: '2026-06-17',
    children: ['Maya', 'Ethan'],
    tutors: [
      { name: 'David Chen', rate: 45 },
      { name: 'Sarah Johnson', rate: 60 },
    ],
    text,
    sessions: [{ child, tutor, date, minutes, rate: null, subject: 'falconry', notes: null }],
  }
}
const TAUGHT = [
  sentence(
    'a plimweek ago ethan did falconry with chen for an hour',
    'Ethan',
    'David Chen',
    '2026-06-03',
    60,
  ),
  sentence('sarah, maya, falconry, 45 minutes, a plimweek ago', 'Maya', 'Sarah Johnson', '2026-06-03', 45),
  sentence('Chen taught Maya two hours of falconry on Monday', 'Maya', 'David Chen', '2026-06-15', 120),
  sentence(
    'ethan had falconry with sarah yesterday for 90 minutes',
    'Ethan',
    'Sarah Johnson',
    '2026-06-16',
    90,
  ),
]
const ASKED = sentence(
  'Maya had an hour of falconry with Sarah Johnson a plimweek ago',
  'Maya',
  'Sarah Johnson',
  '2026-06-03',
  60,
)

test('a newcomer teaches the voice reader a word and a subject through data alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-newcomer-'))
  const run = (file: string): string => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    return stdout
  }
  const asked = (): ReadSession => JSON.parse(run('read.ts')) as ReadSession
  try {
    for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(
      join(folder, 'read.ts'),
      `import { read } from '#features/voice/reading/read.ts'
import { loadWeights } from '#features/voice/reading/weights.server.ts'
console.log(JSON.stringify(read(loadWeights(), ${JSON.stringify(taskOf(ASKED))}).sessions[0]))
`,
    )
    // A word that it doesn't know isn't today.
    assert.equal(asked().day, null)
    const words = join(folder, 'src/features/voice/reading/words.json')
    const table = JSON.parse(readFileSync(words, 'utf8')) as {
      spansOfDays: Record<string, number>
      subjects: string[]
    }
    table.spansOfDays.plimweek = 14
    table.subjects.push('falconry')
    writeFileSync(words, JSON.stringify(table))
    writeFileSync(
      join(folder, 'data/voice/newcomer.jsonl'),
      TAUGHT.map((one) => `${JSON.stringify(one)}\n`).join(''),
    )
    run('scripts/train-voice.ts')
    const { day, subject } = asked()
    assert.deepEqual([day, subject], ['2026-06-03', 'falconry'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
