// Two actors, the real server and the real database: thousands of random sequences against the pure state machine.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { wordAfter, wordOf, type WordState } from '#features/sessions/word.ts'
import { verifyHistory } from '#features/sessions/jobs.server.ts'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'

const SEQUENCES = 2000
/** Sequences that run side by side, each on a session of its own. */
const AT_ONCE = 8

let server: TestServer
let parent: Caller
let tutor: Caller
let outsider: Caller
let token: string
let facts: { student_id: string; tutor_id: string }

before(async () => {
  server = await startTestServer()
  parent = await server.aUser()
  outsider = await server.aUser('tutor')
  const email = 'ingrid@example.com'
  const student_id = String(
    (await parent.call('POST', '/api/v1/students', { name: 'Maya Whitfield' })).body.id,
  )
  const tutor_id = String(
    (
      await parent.call('POST', '/api/v1/tutors', {
        name: 'Ingrid',
        email,
        phone: '555-0199',
        hourly_rate: 45,
      })
    ).body.id,
  )
  facts = { student_id, tutor_id }
  const { body } = await parent.call('POST', `/api/v1/tutors/${tutor_id}/link`, {})
  token = /\/confirm#(\S+)/.exec((await server.mailTo(email, 'asks you to confirm')).text)?.[1] ?? ''
  tutor = server.aStranger()
  await tutor.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role: 'tutor' })
  await server.confirm(tutor, email)
  assert.equal(
    (await tutor.call('PATCH', `/api/v1/families/${String(body.id)}`, { state: 'active' })).status,
    200,
  )
})
after(async () => server.stop())

interface Model {
  id: string
  word: WordState
  minutes: number
  version: number
  entries: number
}
interface Step {
  name: string
  run: (model: Model) => Promise<void>
}

const words = (model: Model, body: Answer['body']) => {
  model.word = wordOf(body as { verified_by_tutor: boolean; status: string })
  model.version = Number(body.version)
}

let mailed = 0
/** Somebody behind the mailed link. The limit of calls from one network is not what is tested here, so it starts anew. */
async function byMail(path: string, body: object): Promise<Answer> {
  if (mailed++ % 50 === 0) await server.db.asSystem((tx) => tx.deleteFrom('rate_limits').execute())
  return server.aStranger().call('POST', path, body)
}

/** A step of the tutor, from the account or the mailed link: taken as the machine says, on what was seen only. */
const tutorStep = (event: 'confirm' | 'withdraw' | 'dispute', isByMail: boolean, isStale: boolean): Step => ({
  name: `${isByMail ? 'mail' : 'tutor'} ${event}${isStale ? ' of an old version' : ''}`,
  async run(model) {
    const version = isStale ? model.version - 1 : model.version
    const stands =
      (event === 'confirm' && model.word === 'verified') ||
      (event === 'withdraw' && model.word === 'unverified')
    const path = `/api/v1/sessions/${model.id}`
    const note = `not right ${model.entries}`
    const answer = isByMail
      ? await byMail(
          `/api/confirm/${event}`,
          event === 'confirm'
            ? { token, sessions: [{ id: model.id, version }] }
            : { token, id: model.id, version, ...(event === 'dispute' ? { note } : {}) },
        )
      : await tutor.call(
          event === 'withdraw' ? 'DELETE' : 'POST',
          event === 'dispute' ? `${path}/dispute` : `${path}/confirm`,
          event === 'dispute' ? { note } : {},
          { 'if-match': `"${version}"` },
        )
    const isTaken =
      answer.status === 200 && (!('changed' in answer.body) || (answer.body.changed as string[]).length === 0)
    assert.equal(isTaken, !isStale || stands, `${this.name} in ${model.word}: ${answer.status}`)
    if (stands || isStale) return
    const next = event === 'withdraw' ? 'unverified' : wordAfter(model.word, event, 'tutor')
    model.word = next ?? model.word
    model.version += 1
    model.entries += 1
  },
})

const familyStep = (name: string, change: (model: Model) => object, event: 'change' | 'describe'): Step => ({
  name,
  async run(model) {
    const { status, body } = await parent.call('PATCH', `/api/v1/sessions/${model.id}`, change(model), {
      'if-match': `"${model.version}"`,
    })
    assert.equal(status, 200)
    const expected = wordAfter(model.word, event, 'family')
    words(model, body)
    assert.equal(model.word, expected)
    model.entries += 1
  },
})

const steps: Step[] = [
  ...[true, false].flatMap((isByMail) =>
    [false, true].flatMap((isStale) =>
      (['confirm', 'withdraw', 'dispute'] as const).map((event) => tutorStep(event, isByMail, isStale)),
    ),
  ),
  familyStep(
    'family changes the duration',
    (model) => ({ duration: (model.minutes = (model.minutes % 300) + 15) / 60 }),
    'change',
  ),
  familyStep(
    'family describes',
    (model) => ({ subject: `Lesson ${model.entries}`, notes: 'a secret' }),
    'describe',
  ),
  {
    name: 'family answers',
    async run(model) {
      const answer = await parent.call('POST', `/api/v1/sessions/${model.id}/answer`, {
        note: `answer ${model.entries}`,
      })
      const expected = wordAfter(model.word, 'answer', 'family')
      assert.equal(answer.status, expected ? 200 : 409)
      if (!expected) return
      words(model, answer.body)
      assert.equal(model.word, expected)
      model.entries += 1
    },
  },
  {
    name: 'family tries to confirm',
    async run(model) {
      assert.equal((await parent.call('POST', `/api/v1/sessions/${model.id}/confirm`, {})).status, 403)
      assert.equal(
        (await parent.call('PATCH', `/api/v1/sessions/${model.id}`, { verified_by_tutor: true })).status,
        422,
      )
    },
  },
  {
    name: 'an outsider tries everything',
    async run(model) {
      const path = `/api/v1/sessions/${model.id}`
      const tries = await Promise.all([
        outsider.call('POST', `${path}/confirm`, {}),
        outsider.call('POST', `${path}/dispute`, { note: 'x' }),
        outsider.call('DELETE', `${path}/confirm`, {}),
        outsider.call('GET', `${path}/history`),
        outsider.call('GET', path),
        outsider.call('PATCH', path, { notes: 'x' }),
      ])
      assert.deepEqual(
        tries.map(({ status }) => status),
        [404, 404, 404, 404, 404, 404],
      )
    },
  },
  {
    name: 'the tutor tries to change the facts, and reads',
    async run(model) {
      assert.equal((await tutor.call('PATCH', `/api/v1/sessions/${model.id}`, { duration: 8 })).status, 404)
      assert.equal(
        (await tutor.call('POST', `/api/v1/sessions/${model.id}/answer`, { note: 'x' })).status,
        404,
      )
      assert.equal((await tutor.call('DELETE', `/api/v1/sessions/${model.id}`, {})).status, 404)
      const history = await tutor.call('GET', `/api/v1/sessions/${model.id}/history`)
      assert.equal((history.body.entries as object[]).length, model.entries)
      assert.doesNotMatch(JSON.stringify(history.body), /secret|Whitfield|555-0199/)
    },
  },
]

test(`D9, T8: in ${SEQUENCES} random sequences no side acts for the other, and both see the same`, async () => {
  const sequences = fc.sample(fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 8 }), {
    numRuns: SEQUENCES,
    seed: 6,
  })
  let done = 0
  const runner = async () => {
    for (let sequence = sequences.pop(); sequence; sequence = sequences.pop()) {
      const { body } = await parent.call('POST', '/api/v1/sessions', {
        ...facts,
        date: '2026-11-20',
        duration: 1,
      })
      const model: Model = { id: String(body.id), word: 'unverified', minutes: 60, version: 1, entries: 1 }
      for (const [at, step] of sequence.entries()) {
        await step.run(model).catch((error: unknown) => {
          throw new Error(
            `${sequence
              .slice(0, at + 1)
              .map(({ name }) => name)
              .join(', ')}`,
            { cause: error },
          )
        })
      }
      const now = await parent.call('GET', `/api/v1/sessions/${model.id}`)
      assert.deepEqual(
        [wordOf(now.body as never), now.body.version, now.body.duration],
        [model.word, model.version, model.minutes / 60],
      )
      const entries = (await parent.call('GET', `/api/v1/sessions/${model.id}/history`)).body.entries as {
        state: string
      }[]
      assert.deepEqual([entries.length, entries.at(-1)?.state], [model.entries, model.word])
      await parent.call('DELETE', `/api/v1/sessions/${model.id}`, {})
      done += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runner))
  assert.equal(done, SEQUENCES)
  const report = await verifyHistory(server.db)
  assert.equal(report.broken, undefined)
  assert.equal(report.sessions, SEQUENCES)
})
