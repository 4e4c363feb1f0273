// How well sentences are read: `node bench/voice-text.ts [--show] FILE.jsonl ...`, labelled sentences, one JSON object a line.
import { readFileSync } from 'node:fs'
import { type Labelled, report, scoreOf, isFilled, isNonSession } from './voice-score.ts'

const show = process.argv.includes('--show')
for (const file of process.argv.slice(2).filter((argument) => !argument.startsWith('--'))) {
  const cases = readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Labelled)
  const scores = cases.map(scoreOf)
  console.log(report(file.split('/').at(-1) ?? file, scores).join('\n'))
  if (!show) continue
  for (const score of scores) {
    const bad = isNonSession(score.case) ? isFilled(score) : score.wrong.length > 0 || !score.subjectRight || !score.notesRight || !score.countRight
    if (bad) console.log(`- ${score.case.id} [${score.case.today}] ${score.case.transcript}\n    wrong ${score.wrong.join(' ')}${score.subjectRight ? '' : ' subject'}${score.notesRight ? '' : ' notes'}${score.countRight ? '' : ' count'}\n    got  ${JSON.stringify(score.got)}\n    want ${JSON.stringify(score.case.expect)}`)
  }
}
