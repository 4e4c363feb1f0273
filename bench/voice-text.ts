// How well sentences are read: `node bench/voice-text.ts [--show] [--seed=1] [FILE.jsonl|FILE.txt ...]`; without files, sentences are made from a seed.
import { readFileSync } from 'node:fs'
import { sessionCases, talkCases } from './voice-cases.ts'
import { marked } from '#features/voice/extraction.ts'
import { textOf } from '#features/voice/spoken-line.ts'
import { saidIn } from './voice-said.ts'
import { inputOf, isFilled, isNonSession, type Labelled, report, scoreOf } from './voice-score.ts'

const show = process.argv.includes('--show')
const seed = Number(/--seed=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 1)
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const made: [string, Labelled[]][] = [
  [`made from seed ${seed}`, [...sessionCases(2000, seed), ...talkCases(1000, seed)]],
]
const read = files.map((file): [string, Labelled[]] => [file.split('/').at(-1) ?? file, labelledIn(file)])
for (const [name, cases] of read.length === 0 ? made : read) {
  for (const labelled of cases.slice(0, 50)) scoreOf(labelled)
  const scores = cases.map((labelled) => scoreOf(labelled))
  console.log(report(name, scores).join('\n'))
  if (!show) continue
  for (const score of scores) {
    const isBad = isNonSession(score.case)
      ? isFilled(score)
      : score.wrong.length > 0 || !score.subjectRight || !score.notesRight || !score.countRight
    if (isBad)
      console.log(
        `- ${score.case.id} [${score.case.today}] ${score.case.transcript}\n    read as ${textOf(marked(score.case.transcript, inputOf(score.case)))}\n    wrong ${[...score.wrong, ...(score.subjectRight ? [] : ['subject']), ...(score.notesRight ? [] : ['notes']), ...(score.countRight ? [] : ['count'])].join(' ')}\n    got  ${JSON.stringify(score.got)}\n    want ${JSON.stringify(score.case.expect)}`,
      )
  }
}

function labelledIn(file: string): Labelled[] {
  const text = readFileSync(file, 'utf8')
  return file.endsWith('.txt')
    ? saidIn(text, file.replace(/^.*voice-|[.]txt$/g, ''))
    : text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Labelled)
}
