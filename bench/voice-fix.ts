// Measures corrections: `node bench/voice-fix.ts [--learned] [--show]`. Reads those in data/voice/corrections/unseen, which
// the weights haven't learned from.
import { type Facts, FACTS } from '#features/voice/reading/choices.ts'
import { readFix } from '#features/voice/reading/read.ts'
import { loadWeights } from '#features/voice/reading/weights.server.ts'
import { corrections } from '../scripts/voice-data.ts'
import { correctedFacts, isRight, taskOf, truthOf } from '../scripts/voice-lab.ts'

const weights = loadWeights()
const all = corrections(process.argv.includes('--learned') ? 'corrections' : 'corrections/unseen')
let right = 0
for (const labeled of all) {
  const former = truthOf(labeled.former)
  const fix = readFix(weights, taskOf({ ...labeled, text: labeled.correction }), former)
  const facts: Facts = { ...former }
  for (const fact of FACTS) facts[fact] = fix[fact] ? fix[fact].value : former[fact]
  const truth = correctedFacts(labeled)
  const subject = labeled.changes.subject ?? null
  const wrong = FACTS.filter((fact) => !isRight(fact, facts[fact], truth[fact]))
  const isSubjectRight = fix.subject === subject
  if (wrong.length === 0) right += 1
  if ((wrong.length > 0 || !isSubjectRight) && process.argv.includes('--show'))
    console.log(
      wrong.length > 0 ? '-' : '  (subject)',
      labeled.correction,
      '|',
      JSON.stringify(labeled.changes),
      '|',
      JSON.stringify(fix),
    )
}
console.log(
  `corrections: all five right in ${right} of ${all.length} (${((100 * right) / all.length).toFixed(1)} %)`,
)
