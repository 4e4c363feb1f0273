// Promise T21: one person never answers for both sides, whatever comes first.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Answer, type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { aFamily, aPractice, connectionsOf, idOf, tokenOf } from '#main/testing/two-sides.server.ts'

let server: TestServer
let superuser: pg.Client
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T09:00:00Z')
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await superuser.end()
  await server.stop()
})

let people = 0
const anAddress = () => `Both.Sides-${++people}@Example.com`
const said = ({ status, body }: Answer) => (status < 300 ? status : `${status} ${String(body.code)}`)

/** The token in the newest invitation to an address. */
async function invited(by: Caller, email: string, role: string): Promise<string> {
  await superuser.query('delete from rate_limits')
  const { status } = await by.call('POST', '/api/v1/members', { email, role })
  assert.equal(status, 201)
  return /\/join#token=(\S+)/.exec((await server.mailTo(email, 'invited you')).text)?.[1] ?? ''
}
const joinAsNew = (token: string) =>
  server.aStranger().call('POST', '/api/auth/join', { token, password: PASSWORD })
const join = (who: Caller, token: string) => who.call('POST', '/api/v1/workspaces/join', { token })

async function anAccount(email: string, role: 'parent' | 'tutor' = 'parent'): Promise<Caller> {
  const person = server.aStranger()
  await person.call('POST', '/api/auth/sign-up', { email, password: PASSWORD, role })
  assert.equal((await server.confirm(person, email)).status, 200)
  person.email = email
  person.id = String((await person.call('GET', '/api/v1/me')).body.id)
  return person
}

/** A workspace of either kind, what its members may be, and how it asks an address to connect. */
async function anAsker(kind: 'family' | 'practice') {
  if (kind === 'family') {
    const owner = await server.aUser()
    const ask = async (email: string) => {
      const tutor = await owner.call('POST', '/api/v1/tutors', { name: 'Ingrid', email })
      return owner.call('POST', '/api/v1/connections', { tutor_id: idOf(tutor) })
    }
    return { owner, role: 'caregiver', ask }
  }
  const { practice: owner } = await aPractice(server, anAddress())
  const student = idOf(await owner.call('POST', '/api/v1/students', { name: 'Noor' }))
  const ask = (email: string) =>
    owner.call('POST', '/api/v1/connections', { email, student_ids: [student], name: 'Ingrid' })
  return { owner, role: 'assistant', ask }
}

/** Asks to change an account's address; `confirm` opens both links. */
async function moveTo(who: Caller, email: string) {
  const answer = await who.call('POST', '/api/v1/me/email', { email, current_password: PASSWORD })
  const confirm = async () => {
    const links = await Promise.all(
      [who.email, email].map(async (address) => (await server.mailTo(address, 'address')).text),
    )
    const answers: Answer[] = []
    for (const text of links)
      answers.push(
        await server
          .aStranger()
          .call('POST', '/api/auth/confirm-email', { token: /#token=(\S+)/.exec(text)?.[1] }),
      )
    return answers.map(({ status, body }) => body.outcome ?? `${status} ${String(body.code)}`)
  }
  return { answer: said(answer), confirm }
}

for (const kind of ['family', 'practice'] as const) {
  test(`T21: nobody joins a ${kind} that has asked their address, with or without an account, whatever the case`, async () => {
    const { owner, role, ask } = await anAsker(kind)
    const email = anAddress()
    assert.equal((await ask(email)).status, 201)
    const token = await invited(owner, email.toLowerCase(), role)
    assert.equal(said(await joinAsNew(token)), '409 both_sides')
    const person = await anAccount(email.toUpperCase(), kind === 'family' ? 'tutor' : 'parent')
    assert.equal(said(await join(person, token)), '409 both_sides')

    // Once the request is withdrawn, they may.
    const [asked] = await connectionsOf(owner)
    await owner.call('DELETE', `/api/v1/connections/${asked?.id}`, {})
    assert.equal(said(await join(person, token)), 200)
  })

  test(`T21: a ${kind} can't ask the address of a member, whichever of the two came first`, async () => {
    const { owner, role, ask } = await anAsker(kind)
    const email = anAddress()
    assert.equal(said(await joinAsNew(await invited(owner, email, role))), 200)
    assert.equal(said(await ask(email.toUpperCase())), '422 own_address')
    for (let round = 0; round < 6; round++) {
      const address = anAddress()
      const token = await invited(owner, address, role)
      const [joined, asked] = await Promise.all([joinAsNew(token), ask(address)])
      assert.deepEqual(
        [joined.status, asked.status].filter((status) => status < 300).length,
        1,
        `${said(joined)}, ${said(asked)}`,
      )
      if (asked.status === 201) await owner.call('DELETE', `/api/v1/connections/${idOf(asked)}`, {})
      await superuser.query("delete from member_invitations; delete from members where role <> 'owner'")
    }
  })

  test(`T21: a member of a ${kind} can't change to an address that it has asked`, async () => {
    const { owner, role, ask } = await anAsker(kind)
    const [own, asked, later] = [anAddress(), anAddress(), anAddress()]
    const token = await invited(owner, own, role)
    const member = await anAccount(own)
    assert.equal(said(await join(member, token)), 200)
    assert.equal((await ask(asked)).status, 201)
    assert.equal((await moveTo(member, asked.toUpperCase())).answer, '409 both_sides')
    const move = await moveTo(member, later)
    assert.equal(move.answer, 200)
    await superuser.query('delete from rate_limits')
    assert.equal((await ask(later)).status, 201, 'nobody has this address yet')
    assert.deepEqual(await move.confirm(), ['half', '409 both_sides'])
    assert.equal((await member.call('GET', '/api/v1/me')).body.email, own)
  })

  test(`T21: a ${kind} that asked someone's earlier address can't have them as a member`, async () => {
    const { owner, role, ask } = await anAsker(kind)
    const [earlier, current] = [anAddress(), anAddress()]
    const person = await anAccount(earlier)
    assert.equal((await ask(earlier)).status, 201)
    const move = await moveTo(person, current)
    assert.deepEqual(await move.confirm(), ['half', 'done'])
    const token = await invited(owner, current, role)
    await person.call('POST', '/api/auth/sign-in', { email: current, password: PASSWORD })
    assert.equal(said(await join(person, token)), '409 both_sides')
  })
}

test('T21: joining both sides of a connection at once, or accepting while joining, leaves nobody on both', async () => {
  for (let round = 0; round < 5; round++) {
    const { family, email, connection } = await aFamily(server)
    const { practice } = await aPractice(server, email)
    const person = await anAccount(anAddress())
    const toFamily = await invited(family, person.email, 'parent')
    const toPractice = await invited(practice, person.email, 'assistant')
    if (round % 2) await practice.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' })
    const answers = await Promise.all([
      join(person, toFamily),
      join(person, toPractice),
      practice.call('PATCH', `/api/v1/connections/${connection}`, { state: 'active' }),
    ])
    assert.ok(
      answers.every(({ status }) => status < 500),
      answers.map(said).join(),
    )
    const { rows } = await superuser.query(
      `select from connections c join members a on a.workspace_id = c.family_id join members b on b.workspace_id = c.practice_id
        and b.account_id = a.account_id where c.id = $1 and c.state = 'active'`,
      [connection],
    )
    assert.equal(rows.length, 0, answers.map(said).join())
  }
})

test('T21: no operation of the database puts one person on both sides', async () => {
  const { family, email } = await aFamily(server)
  const member = await anAccount(anAddress())
  await join(member, await invited(family, member.email, 'parent'))
  await assert.rejects(
    superuser.query('update users set email = $1, email_key = lower($1) where id = $2', [email, member.id]),
    /both sides/,
  )
  assert.match(await tokenOf(server, email), /^\S{20,}$/, 'the emailed link stays the other person’s')
})
