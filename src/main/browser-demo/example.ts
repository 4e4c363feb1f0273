// Plays the story's last three months on the demo's record, through the same API that the screens call.
import { INGRID, SHARED } from '../story/cast.ts'
import { play } from '../story/play.ts'
import { agreeing, connectionWith, Names, story } from '../story/story.ts'
import { answer } from './api.ts'
import { CHILDREN, CONNECTION, SIDES, TUTORS } from './cast.ts'
import { DemoRecord } from './record.ts'

const MONTHS = 3

/**
 * Creates the record that both sides share.
 * @param clock the visitor's clock
 */
export async function exampleRecord(clock: () => Date): Promise<DemoRecord> {
  const record = new DemoRecord(clock)
  const names = new Names()
  for (const side of SIDES) {
    names.learn(side, INGRID.firstName, TUTORS[side].id)
    names.learn(side, connectionWith(INGRID.firstName), CONNECTION)
    for (const { child } of CHILDREN)
      names.learn(side, child.firstName, side === 'family' ? child.id : child.student)
  }
  const steps = story(record.today(), MONTHS, [SHARED])
  await play([...agreeing(steps[0]?.day ?? record.today()), ...steps], names, ({ by, day }) => {
    if (by !== 'family' && by !== 'practice') throw new Error(`${by} has no side in the demo`)
    const evening = new Date(`${day}T19:00:00`)
    record.clock = () => evening
    return {
      call: async (method, url, body) => answer(record, by, { method, url, body, version: undefined }),
    }
  })
  record.clock = clock
  return record
}
