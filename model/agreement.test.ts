// Takes random steps on the real server and database as parents, a caregiver, limited members, tutors, someone
// who is both a parent and a tutor, sides without an account, and an outsider. After each step, what they see must
// match the model of this folder, line by line and to the cent.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { gather } from './walk/cast.ts'
import { compareEverything } from './walk/compare.ts'
import * as connections from './walk/connection-steps.ts'
import * as entries from './walk/entry-steps.ts'
import { checkExports } from './walk/exports.ts'
import { forgetLimits, server, start, steps, stop, world } from './walk/here.ts'
import * as months from './walk/month-steps.ts'
import type { Step } from '#main/testing/random-steps.ts'
import * as workspaces from './walk/workspace-steps.ts'

/** How many steps to take between comparisons of all views. */
const EVERYTHING = 200

const ACTIONS: Step[] = [
  [20, entries.logSession],
  [11, entries.changeSession],
  [4, entries.takeNotes],
  [12, entries.recordPayment],
  [7, entries.changePayment],
  [4, entries.sharePayment],
  [26, entries.giveAnswer],
  [3, entries.confirmMany],
  [8, entries.acceptProposal],
  [5, entries.replyTo],
  [10, entries.remove],
  [4, entries.keep],
  [2, entries.leave],
  [2.5, connections.ask],
  [1, connections.invite],
  [4, connections.answerLink],
  [1.2, connections.end],
  [3, connections.answerPairs],
  [4, months.settle],
  [6, months.close],
  [2, months.reopen],
  [1, months.withdraw],
  [1, workspaces.changePeople],
  [1, workspaces.changeMembers],
  [0.4, workspaces.handOver],
  [0.8, workspaces.comeAndGo],
  [1, workspaces.switchWorkspace],
  [2, workspaces.look],
  [3, workspaces.trespass],
]

before(async () => {
  await start()
  await gather()
})
after(stop)

test(`T1, D9: after every random step, each side sees what a simple model says, and nobody answers for the other (${steps.count} steps)`, async () => {
  await steps.run(
    ACTIONS,
    {
      before: async () => {
        world.now = server.clock.now.getTime()
        await forgetLimits()
      },
      after: async (step) => {
        await months.compareScreens(step)
        if (step % EVERYTHING === EVERYTHING - 1) await compareEverything()
      },
      end: async () => {
        await compareEverything()
        assert.equal((await verifyHistory(server.db)).broken, undefined)
        await checkExports()
      },
    },
    () => `${world.entries.length} entries, ${world.links.length} connections; `,
  )
})
