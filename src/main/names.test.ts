// Names are typed by one person and read by strangers. This test checks every email and every page that shows
// one.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { extractText } from 'unpdf'
import { readMailbox, type SentMail } from '#platform/mail/mailer.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { pause } from '#platform/timeout.server.ts'
import { type Caller, startTestServer, type TestServer } from './testing.server.ts'
import { byLink } from './testing/two-sides.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

const HOSTILE = [
  'Pay at http://evil.test now',
  'https://evil.test/pay?now=1#x',
  'HTTP://EVIL.TEST',
  'www.evil.test',
  'evil.test',
  'evil。test',
  'evil｡test',
  'ｅｖｉｌ．ｔｅｓｔ',
  'evil․test',
  'evil .test',
  'evil.test.',
  'Ann (evil.test)',
  'ev\u200bil.te\u200bst',
  'evil\u2060.test',
  'evil.\u00adtest',
  '\u202etset.live//:ptth',
  '\u2066evil.test\u2069',
  'Ann\nBcc: all@evil.test',
  'Ann\r\n\r\nhttp://evil.test',
  'Ann\tevil.test',
  'pay@evil.test',
  '"Ann" <pay@evil.test>',
  'mailto:pay@evil.test',
  'javascript:alert(1)//evil.test',
  '//evil.test/x',
  '\\\\evil.test\\share',
  'http:\\\\evil.test',
  '127.0.0.1/admin',
  'http://[::1]/admin',
  '<a href="http://evil.test">Ann</a>',
  'xn--evl-rma.test',
  'evil.рф',
  'пример.испытание',
  `${'Ann '.repeat(20)}evil.test`,
]

/**
 * Matches anything that an email program would turn into a link. These patterns are deliberately defined here
 * instead of imported from the code under test. The second one matches invisible characters.
 */
const LINKS = /[\p{L}\p{N}][.。．｡․][\p{L}\p{N}]|\/\/|\\|\S@\S|:\S/u
const UNSEEN = /[\u0000-\u001f\u007f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

function assertPlain(text: string, name: string): void {
  assert.doesNotMatch(text, LINKS, JSON.stringify(name))
  assert.doesNotMatch(text, UNSEEN, JSON.stringify(name))
}

/** Checks an email, ignoring our own links, amounts and line breaks. */
function assertPlainMail({ subject, text, html }: SentMail, name: string): void {
  const withoutLinks = (from: string) => from.replaceAll(/http:\/\/localhost:3000[^\s"<]*|\$\d+\.\d\d/g, '')
  assertPlain(subject, name)
  assertPlain(withoutLinks(text).replaceAll(/:?\n/g, ' '), name)
  const words = withoutLinks(html)
    .replaceAll(/<style>[^<]*<\/style>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
  assertPlain(words, name)
  assert.deepEqual(
    [...html.matchAll(/href="([^"]*)"/g)].filter(([, url]) => !url?.startsWith('http://localhost:3000/')),
    [],
  )
}

const idOf = async (person: Caller, path: string, body: object) =>
  String((await person.call('POST', path, body)).body.id)

async function newestMail(to: string, isIt: (mail: SentMail) => boolean): Promise<SentMail> {
  for (let tries = 0; tries < 400; tries++) {
    const mail = (await readMailbox(join(server.dataDir, 'mailbox'), to)).find(isIt)
    if (mail) return mail
    await pause(25)
  }
  throw new Error(`no such email for ${to}`)
}

test('I18: no name makes a link in an email or on a page that a stranger reads', async () => {
  assert.ok(HOSTILE.length >= 30)
  const parent = await server.aUser()
  for (const [at, name] of HOSTILE.entries()) {
    await server.db.asSystem((tx) => tx.deleteFrom('rate_limits').execute())
    assert.equal((await parent.call('PATCH', '/api/v1/me', { full_name: name })).status, 200)
    const email = `stranger-${at}@example.com`
    const student_id = await idOf(parent, '/api/v1/students', { name })
    const tutor_id = await idOf(parent, '/api/v1/tutors', { name, email, hourly_rate: 45 })
    const session = { student_id, tutor_id, date: '2026-01-05', duration: 1 }
    await idOf(parent, '/api/v1/sessions', session)
    const link = await idOf(parent, '/api/v1/connections', { tutor_id })

    const asked = await newestMail(email, ({ subject }) => subject.includes('asks you to confirm'))
    assertPlainMail(asked, name)
    const token = /\/confirm#(\S+)/.exec(asked.text)?.[1]
    const stranger = server.aStranger()
    const page = (await byLink(stranger, token, 'open')).body as unknown as {
      family_name: string | null
      sessions: {
        id: string
        version: number
        other_name: string | null
        student_name: string | null
      }[]
    }
    const [shown] = page.sessions
    for (const text of [page.family_name, shown?.other_name, shown?.student_name])
      assertPlain(text ?? '', name)
    assert.equal(page.sessions.length, 1)
    const sessions = page.sessions.map(({ id, version }) => ({ id, version }))
    await byLink(stranger, token, 'confirm', { sessions })
    const pdf = await byLink(stranger, token, 'signed.pdf', { month: '2026-01' })
    assert.equal(pdf.status, 200)
    const { text } = await extractText(new Uint8Array(pdf.bytes), { mergePages: true })
    assertPlain(
      // Removes the statement's own link, numbers and code from the text.
      text
        .replaceAll(/https?:\/\/\S+|\d+[.:]\d+|localhost\S*/g, '')
        .replaceAll(/[\u2066-\u2069\n]/g, ' ')
        .replaceAll('Tutorlog.', ''),
      name,
    )

    await parent.call('POST', '/api/v1/sessions', { ...session, date: '2026-01-06' })
    await server.db.asSystem((tx) =>
      queueMail(tx, { userId: null, recipient: '', kind: 'waiting_sessions', data: { link_id: link } }),
    )
    assertPlainMail(await newestMail(email, ({ subject }) => /^\d+ session/.test(subject)), name)

    const friend = `friend-${at}@example.com`
    await parent.call('POST', '/api/v1/invitations', {
      friend_email: friend,
      friend_name: [...name].slice(0, 60).join(''),
    })
    assertPlainMail(await newestMail(friend, ({ subject }) => subject.includes('invited you')), name)
  }
})

test('I18: what a tutor and a family read of each other in the app makes no link either', async () => {
  const [parent, tutor] = [await server.aUser(), await server.aUser('tutor')]
  const child = await idOf(parent, '/api/v1/students', { name: 'evil.test' })
  const tutor_id = await idOf(parent, '/api/v1/tutors', { name: 'Ingrid', email: tutor.email })
  const link = await idOf(parent, '/api/v1/connections', { tutor_id })
  await parent.call('PATCH', '/api/v1/me', { full_name: 'evil.test' })
  await idOf(parent, '/api/v1/sessions', { student_id: child, tutor_id, date: '2026-01-05', duration: 1 })
  const listed = async (caller: Caller, path: string) => {
    const { body } = await caller.call('GET', `/api/v1/${path}`)
    return (Array.isArray(body) ? body : body.sessions) as Record<string, string>[]
  }
  const [asking] = await listed(tutor, 'connections')
  await tutor.call('PATCH', `/api/v1/connections/${link}`, { state: 'active' })
  const [student] = await listed(tutor, 'students')
  const [self] = await listed(tutor, 'tutors')
  const lesson = { student_id: student?.id, tutor_id: self?.id, date: '2026-01-06', duration: 1 }
  await idOf(tutor, '/api/v1/sessions', lesson)
  const [family] = await listed(tutor, 'connections')
  const [shared] = await listed(tutor, 'confirmations')
  const [person] = (family?.people ?? []) as unknown as { first_name: string }[]
  assert.deepEqual(
    [asking?.other_name, family?.other_name, person?.first_name, shared?.other_name, shared?.student_name],
    ['evil. test', 'evil. test', 'evil. test', 'evil. test', 'evil. test'],
  )
  const [own] = await listed(parent, 'confirmations')
  assert.deepEqual(
    [own?.student_name, own?.other_name],
    ['evil.test', 'Ingrid'],
    'the family reads its own child',
  )
})

test('I18: no name of a tutor or of a student makes a link in what an invited family reads', async () => {
  const tutor = await server.aUser('tutor')
  const [self] = (await tutor.call('GET', '/api/v1/tutors')).body as unknown as { id: string }[]
  await tutor.call('PATCH', `/api/v1/tutors/${self?.id}`, { hourly_rate: 45 })
  for (const [at, name] of HOSTILE.slice(0, 8).entries()) {
    await tutor.call('PATCH', '/api/v1/me', { full_name: name })
    const email = `family-${at}@example.com`
    const student_id = await idOf(tutor, '/api/v1/students', { name })
    await idOf(tutor, '/api/v1/sessions', { student_id, tutor_id: self?.id, date: '2026-01-05', duration: 1 })
    await idOf(tutor, '/api/v1/connections', { email, student_ids: [student_id] })
    const asked = await newestMail(email, ({ subject }) => subject.includes('asks you to confirm'))
    assertPlainMail(asked, name)
    const token = /\/confirm#(\S+)/.exec(asked.text)?.[1]
    const { body } = await byLink(server.aStranger(), token, 'open')
    for (const text of [body.other_name, ...(body.first_names as unknown as string[])])
      assertPlain(String(text ?? ''), name)
  }
})

test('I18: the operator reads the name of a sender as a name', async () => {
  const settings = { CONTACT_TO: 'help@tutorlog.example' }
  const other = await startTestServer(settings)
  try {
    await other.aStranger().call('POST', '/api/v1/contact', {
      name: 'Pay at http://evil.test now',
      email: 'ann@example.com',
      subject: 'Hello',
      message: 'A question',
    })
    const { text } = await other.mailTo(settings.CONTACT_TO, 'Hello')
    assert.match(text, /^Pay at http evil\. test now \(ann@example\.com\) wrote:/)
  } finally {
    await other.stop()
  }
})
