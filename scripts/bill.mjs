// `node scripts/bill.mjs`: plays 5,000 random months of families and tutors and compares what both read, and the closed months, with a
// model of what's owed (model/bill.ts). `npm test` plays a few, and always the same ones. MODEL_SEED repeats a run, and
// MODEL_STEPS makes it longer or shorter.
import { randomInt } from 'node:crypto'
import { environment, prepare, run } from './prepare.mjs'

const env = {
  MODEL_STEPS: '5000',
  MODEL_SEED: String(randomInt(2 ** 31)),
  MODEL_REPORT: '1',
  ...environment(),
}
process.exit(run(prepare({ isForTests: true }), ['--test', 'model/bill.test.ts'], { env }))
