// `node scripts/model.mjs`: the model test of both sides with 10,000 steps that nobody chose; `npm test` takes the same 1,000 in
// every run. MODEL_SEED repeats a run.
import { randomInt } from 'node:crypto'
import { environment, prepare, run } from './prepare.mjs'

const env = {
  MODEL_STEPS: '10000',
  MODEL_SEED: String(randomInt(2 ** 31)),
  MODEL_REPORT: '1',
  ...environment(),
}
process.exit(run(prepare(), ['--test', 'src/main/model.test.ts'], { env }))
