// Months between families and tutors on the real server and database: classes that are held, missed, waived and made up for, under terms
// that change, with prepaid hours, payments, fees and charges. What both sides read, and what a closed month keeps, must be what the
// model in bill.ts works out, to the cent, and each charge must say why in one sentence. `node scripts/bill.mjs` takes 5,000 months.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RandomSteps } from '#main/testing/random-steps.ts'
import { aHousehold, monthAt, start, stop } from './walk/household.ts'
import { playMonth } from './walk/household-month.ts'

/** How many months each household takes. */
const IN_A_ROW = 10
const KINDS =
  'charge, credit, waived, free, fee, make-up, hours, new terms, other amount, price, lesson price'
const steps = new RandomSteps(30)

before(start)
after(stop)

test(`each month is what the model says, for both sides and in the closed month, and every charge explains itself (${steps.count} months)`, async () => {
  const counts: Record<string, number> = {}
  const disagreements: string[] = []
  let done = 0
  for (let nth = 1; done < steps.count; nth++) {
    const household = await aHousehold(steps)
    for (let at = 0; at < IN_A_ROW && done < steps.count; at++, done++) {
      try {
        const what = await playMonth(household, monthAt(at), steps)
        for (const [name, count] of Object.entries(what)) counts[name] = (counts[name] ?? 0) + count
      } catch (error) {
        // What follows would only repeat it, so the next household begins.
        disagreements.push(`household ${nth}, ${monthAt(at)}: ${(error as Error).message}`)
        console.log(disagreements.at(-1))
        break
      }
      if (process.env.MODEL_REPORT && (done + 1) % 100 === 0)
        console.log(`seed ${steps.seed}: ${done + 1} months`, JSON.stringify(counts))
    }
  }
  if (process.env.MODEL_REPORT) console.log(`seed ${steps.seed}: all ${done} months`, JSON.stringify(counts))
  assert.deepEqual(disagreements, [], `MODEL_SEED=${steps.seed}`)
  for (const what of KINDS.split(', ')) assert.ok((counts[what] ?? 0) > 0, `${what}: ${counts[what]}`)
})
