// `node scripts/model.mjs`: runs the model tests for sessions and for money between two sides, with 10,000
// random steps each. `npm test` runs a small number of steps, the same ones every time. MODEL_SEED repeats a
// run. `node scripts/model.mjs money` runs only the money test.
import { randomInt } from 'node:crypto'
import { environment, prepare, run } from './prepare.mjs'

const env = {
  MODEL_STEPS: '10000',
  MODEL_SEED: String(randomInt(2 ** 31)),
  MODEL_REPORT: '1',
  ...environment(),
}
const files = { sessions: 'src/main/model.test.ts', money: 'src/main/money-model.test.ts' }
const chosen = Object.keys(files).filter((name) => !process.argv[2] || process.argv[2] === name)
if (chosen.length === 0) throw new Error(`no such model: ${process.argv[2]}`)
process.exit(run(prepare({ isForTests: true }), ['--test', ...chosen.map((name) => files[name])], { env }))
