// `node scripts/model.mjs`: lets people act at random for 10,000 steps, and compares what they see with the model
// (model/). `npm test` takes fewer steps, and always the same ones. Set MODEL_SEED to repeat a run, and
// MODEL_STEPS for a longer or shorter one.
import { randomInt } from 'node:crypto'
import { environment, prepare, run } from './prepare.mjs'

const env = {
  MODEL_STEPS: '10000',
  MODEL_SEED: String(randomInt(2 ** 31)),
  MODEL_REPORT: '1',
  ...environment(),
}
process.exit(run(prepare({ isForTests: true }), ['--test', 'model/agreement.test.ts'], { env }))
