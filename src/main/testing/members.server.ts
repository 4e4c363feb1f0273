// A family with members for tests of what each of them may see.
import assert from 'node:assert/strict'
import { type Caller, PASSWORD, type TestServer } from '../testing.server.ts'

/**
 * A rate that doesn't appear anywhere else, and the amounts it produces (for 1, 1.5 and 2 hours, and for the
 * payment).
 */
export const RATE = 47.31
interface Family {
  owner: Caller
  maya: string
  theo: string
  ingrid: string
  noor: string
  schedule: string
  logged: string
  payment: string
}

export const post = async (person: Caller, path: string, body: object) => {
  const answer = await person.call('POST', `/api/v1/${path}`, body)
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
export const rows = async (person: Caller, path: string) =>
  (await person.call('GET', `/api/v1/${path}`)).body as unknown as Record<string, unknown>[]
export const sessionsOf = async (person: Caller) =>
  (await person.call('GET', '/api/v1/sessions')).body.sessions as Record<string, unknown>[]

/** A family where every amount is based on a single rate. */
export async function aFamily(server: TestServer): Promise<Family> {
  const owner = await server.aUser()
  const make = async (path: string, body: object) => String((await post(owner, path, body)).id)
  const maya = await make('students', { name: 'Maya' })
  const theo = await make('students', { name: 'Theo' })
  const ingrid = await make('tutors', { name: 'Ingrid', hourly_rate: RATE })
  const noor = await make('tutors', { name: 'Noor', hourly_rate: RATE })
  const schedule = await make('schedules', {
    student_id: maya,
    tutor_id: ingrid,
    day_of_week: 2,
    start_time: '16:00',
    duration: 1.5,
    hourly_rate: RATE,
    frequency: 'weekly',
    start_date: '2026-01-06',
  })
  const lesson = { date: '2026-03-03', duration: 2, hourly_rate: RATE }
  const logged = await make('sessions', { ...lesson, student_id: maya, tutor_id: ingrid })
  await make('sessions', { ...lesson, student_id: theo, tutor_id: noor })
  const payment = await make('payments', { tutor_id: ingrid, date: '2026-03-04', amount: 283.86 })
  await owner.call('PATCH', `/api/v1/sessions/${logged}`, { duration: 1 })
  return { owner, maya, theo, ingrid, noor, schedule, logged, payment }
}

export async function aMember(
  server: TestServer,
  owner: Caller,
  role: string,
  studentIds: string[] | null = null,
): Promise<Caller> {
  const person = server.aStranger()
  await post(owner, 'members', { email: person.email, role, student_ids: studentIds })
  const { text } = await server.mailTo(person.email, 'invited you')
  const token = /\/join#token=(\S+)/.exec(text)?.[1]
  const joined = await person.call('POST', '/api/auth/join', { token, password: PASSWORD, full_name: 'Cara' })
  assert.equal(joined.status, 200)
  person.id = String((await person.call('GET', '/api/v1/me')).body.id)
  return person
}

export const principalOf = (person: Caller, owner: Caller, role: 'caregiver' | 'parent' = 'caregiver') => ({
  accountId: person.id,
  workspace: { id: owner.member.workspaceId, kind: 'family' as const, role },
})
