// Tests who can create an account under each SIGN_UP setting.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startOpenIdStandIn, type OpenIdStandIn } from '#main/testing/openid.server.ts'
import { removeScratch, scratchFolder } from '#main/testing/scratch.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { readMailbox } from '#platform/mail/mailer.server.ts'

const NOT_INVITED = 'You need an invitation to sign up for Tutorlog'
const OTHER_PASSWORD = 'tulips-and-41'
const folder = scratchFolder()
const owner = 'owner@example.com'
const sent = { message: 'If we can send an email to this address, it’s on its way.' }
let google: OpenIdStandIn
let server: TestServer
let family: Caller
let people = 0

before(async () => {
  google = await startOpenIdStandIn()
  server = await startTestServer({}, folder)
  const person = server.aStranger()
  await signUp(person, owner)
  assert.equal((await server.confirm(person, owner)).status, 200)
  // This account was created while anyone could sign up.
  await signUp(server.aStranger(), 'too-late@example.com')
  await server.mailTo('too-late@example.com', 'Verify')
  await server.stop()
})
after(async () => {
  await server.stop()
  await google.stop()
  removeScratch(folder)
})

const mailsTo = (email: string) => readMailbox(`${server.dataDir}/mailbox`, email)
const anAddress = () => `newcomer-${++people}@example.com`
const signUp = (person: Caller, email: string, password = PASSWORD) =>
  person.call('POST', '/api/auth/sign-up', { email, password, role: 'parent' })

async function restart(signUpBy: string): Promise<void> {
  server = await startTestServer({ ...google.settings, SIGN_UP: signUpBy }, folder)
  family = server.aStranger()
  await family.call('POST', '/api/auth/sign-in', { email: owner, password: PASSWORD })
}

/** The sign-up page as it appears without JavaScript. */
async function signUpPage(): Promise<string> {
  const { payload } = await server.app.inject('/signup')
  return payload.slice(payload.indexOf('<body'))
}

/** Signs in through Google with this email and returns the page that the browser lands on. */
async function landsFromGoogle(email: string): Promise<unknown> {
  google.next = { claims: { sub: `${email}-at-google`, email } }
  const browser = server.aStranger()
  const { body } = await browser.call('POST', '/api/auth/google', {})
  const back = (await fetch(String(body.url), { redirect: 'manual' })).headers.get('location') ?? ''
  const { pathname, search } = new URL(back)
  return (await browser.call('GET', pathname + search)).headers.location
}

/**
 * Returns the response to a sign-up and the email it triggers. If the person is allowed to have an account,
 * also confirms the sign-up.
 */
async function outcomeOf(email: string): Promise<string> {
  const person = server.aStranger()
  const { status, body } = await signUp(person, email)
  assert.deepEqual([status, body], [200, sent], 'the answer does not tell who was invited')
  await server.allJobsDone()
  const refusal = (await mailsTo(email)).find(({ subject }) => subject === NOT_INVITED)
  if (refusal) {
    assert.doesNotMatch(refusal.text, /#token=/)
    return 'refused'
  }
  return `confirmed: ${(await server.confirm(person, email)).status}`
}

async function invite(email: string): Promise<string> {
  assert.equal((await family.call('POST', '/api/v1/members', { email, role: 'parent' })).status, 201)
  return /\/join#token=(\S+)/.exec((await server.mailTo(email, 'invited you')).text)?.[1] ?? ''
}

async function ask(email: string): Promise<void> {
  const tutor = await family.call('POST', '/api/v1/tutors', { name: 'Ingrid', email, hourly_rate: 45 })
  const asked = await family.call('POST', '/api/v1/connections', { tutor_id: tutor.body.id })
  assert.equal(asked.status, 201)
}

test('with SIGN_UP=invited only people invited to a workspace or a connection get an account', async () => {
  await restart('invited')
  assert.match(await signUpPage(), /You need an invitation to sign up here.*<form/s)
  const [stranger, member, asked, joining] = [anAddress(), anAddress(), anAddress(), anAddress()]
  assert.equal(await outcomeOf(stranger), 'refused')
  assert.equal(await landsFromGoogle(stranger), '/login?google=not-invited')

  // Neither is it told who has an account (promise A22).
  const signIn = (email: string) =>
    server.aStranger().call('POST', '/api/auth/sign-in', { email, password: OTHER_PASSWORD })
  for (const email of [owner, anAddress()]) {
    const { status, body } = await signUp(server.aStranger(), email, OTHER_PASSWORD)
    assert.deepEqual([status, body], [200, sent])
    const { email_confirmed_at: confirmedAt } = (await signIn(email)).body.user as Record<string, unknown>
    assert.equal(confirmedAt, null)
  }
  await server.mailTo(owner, 'You already have')

  await invite(member)
  assert.equal(await outcomeOf(member), 'confirmed: 200')
  await ask(asked)
  assert.equal(await landsFromGoogle(asked), '/dashboard')
  assert.equal(await landsFromGoogle(owner), '/dashboard', 'who has an account keeps it')
  const joined = await server
    .aStranger()
    .call('POST', '/api/auth/join', { token: await invite(joining), password: PASSWORD })
  assert.equal(joined.status, 200)

  await server.aStranger().call('POST', '/api/auth/forgot-password', { email: 'too-late@example.com' })
  await server.allJobsDone()
  const late = (await mailsTo('too-late@example.com')).map(({ subject }) => subject)
  assert.deepEqual(late, ['Verify your email for Tutorlog'])
  await server.stop()
})

test('with SIGN_UP=closed nobody gets an account, invited or not', async () => {
  await restart('closed')
  assert.match(await signUpPage(), /This server isn&#x27;t accepting new accounts/)
  assert.doesNotMatch(await signUpPage(), /<form/)
  const [member, asked] = [anAddress(), anAddress()]
  const token = await invite(member)
  await ask(asked)
  for (const email of [member, asked, anAddress()])
    assert.equal((await signUp(server.aStranger(), email)).body.code, 'sign_up_closed')
  const join = await server.aStranger().call('POST', '/api/auth/join', { token, password: PASSWORD })
  assert.equal(join.body.code, 'sign_up_closed')
  assert.equal(await landsFromGoogle(member), '/login?google=not-invited')
  assert.equal(await landsFromGoogle(owner), '/dashboard')
})
