// `node scripts/model.mjs`: runs the model tests for sessions and for money between two sides, with 10,000
// random steps each. `npm test` runs only a few steps, and always the same ones. Set MODEL_SEED to repeat a
// run. `node scripts/model.mjs money` runs only the money test. `node scripts/model.mjs sequences` runs the
// money test as 10,000 sequences of ten steps, each starting from scratch. That takes an hour. Set
// MODEL_STEPS to run fewer.
import { randomInt } from 'node:crypto'
import { environment, prepare, run } from './prepare.mjs'

const env = {
  ...(process.argv[2] === 'sequences'
    ? { MODEL_STEPS: '100000', MODEL_SEQUENCE: '10' }
    : { MODEL_STEPS: '10000' }),
  MODEL_SEED: String(randomInt(2 ** 31)),
  MODEL_REPORT: '1',
  ...environment(),
}
const money = 'src/main/money-model.test.ts'
const files = { sessions: ['src/main/model.test.ts'], money: [money], sequences: [money] }
const chosen = process.argv[2] ? files[process.argv[2]] : [...files.sessions, ...files.money]
if (!chosen) throw new Error(`no such model: ${process.argv[2]}`)
process.exit(run(prepare({ isForTests: true }), ['--test', ...chosen], { env }))
