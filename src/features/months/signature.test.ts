// Answers about a month that are signed with a passkey.
import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync, verify as verifySignature } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { jwkOf } from '#features/passkeys/commands.server.ts'
import type { MakingOptions, UsingOptions } from '#features/passkeys/passkey.ts'
import { aDevice, type Device } from '#main/testing/authenticator.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { connected, monthOf, refusal, verify } from '#main/testing/months.server.ts'
import { textOfPdf } from '#main/testing/paper.server.ts'
import { agreedText, type PasskeyProof } from './agreed.ts'
import { checkPage, readKeys } from './page-check.ts'
import { contentText, type MonthContent, type MonthPage } from './month-page.ts'
import { KEYS_PATH } from './signed-page.ts'

let server: TestServer
let owner: pg.Client
before(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-12-01T09:00:00Z')
  owner = new pg.Client({ connectionString: server.superuserUrl })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await server.stop()
})

async function withPasskey(who: Caller): Promise<Device> {
  const device = aDevice()
  const started = await who.call('POST', '/api/v1/me/passkeys/start', {})
  assert.equal(started.status, 200, JSON.stringify(started.body))
  const options = started.body as unknown as MakingOptions
  const { status } = await who.call('POST', '/api/v1/me/passkeys', { passkey: device.make(options) })
  assert.equal(status, 200)
  return device
}

type Pair = Awaited<ReturnType<typeof connected>>
type Started = { nonce: string; options: UsingOptions }

/** A family and a tutor with a passkey each, and a November that can be closed. */
async function pairWithPasskeys() {
  const pair = await connected(server)
  const session = await pair.agree('2026-11-03')
  await pair.agree('2026-11-10')
  return {
    ...pair,
    session,
    familyDevice: await withPasskey(pair.family),
    tutorDevice: await withPasskey(pair.practice),
  }
}

const start = ({ connection }: Pair, who: Caller, month = '2026-11') =>
  who.call('POST', '/api/v1/months/sign', { connection_id: connection, month })

async function signature(pair: Pair, who: Caller, device: Device, lies: Parameters<Device['use']>[1] = {}) {
  const { status, body } = await start(pair, who)
  assert.equal(status, 200, JSON.stringify(body))
  const { nonce, options } = body as unknown as Started
  return { ...device.use(options, lies), nonce }
}

async function sign(pair: Pair, who: Caller, device: Device, lies: Parameters<Device['use']>[1] = {}) {
  return pair.close(who, { passkey: await signature(pair, who, device, lies) })
}

async function withdraw({ connection }: Pair, who: Caller): Promise<void> {
  const wanted = { connection_id: connection, month: '2026-11' }
  assert.equal((await who.call('DELETE', '/api/v1/months/close', wanted)).status, 200)
}

const pageOf = async ({ connection }: Pair, who: Caller) =>
  (await who.call('GET', `/api/v1/months/page?connection_id=${connection}&month=2026-11`))
    .body as unknown as MonthPage

async function contentOf({ connection }: Pair): Promise<MonthContent> {
  const { rows } = await owner.query<{ content: MonthContent }>(
    "select content from closed_months where connection_id = $1 and state = 'closed'",
    [connection],
  )
  return rows[0]?.content as MonthContent
}

/** What a checker says about the file of a page that has nothing but the server's public keys. */
async function checked(pair: Pair) {
  const keys = await readKeys((await server.app.inject({ method: 'GET', url: KEYS_PATH })).payload)
  return checkPage((await pair.pdf(pair.family)).bytes, keys?.keys ?? [])
}

const bytes = (text: string) => Buffer.from(text, 'base64url')
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** Checks a proof as anyone can who has the page, with Node alone. */
function holds(proof: PasskeyProof, text: string): boolean {
  const client = JSON.parse(bytes(proof.client_data).toString()) as { type: string; challenge: string }
  const data = bytes(proof.authenticator_data)
  return (
    client.type === 'webauthn.get' &&
    client.challenge === sha256(`${proof.nonce}\n${text}`).toString('base64url') &&
    data.subarray(0, 32).equals(sha256('localhost')) &&
    ((data[32] ?? 0) & 1) === 1 &&
    verifySignature(
      'sha256',
      Buffer.concat([data, sha256(bytes(proof.client_data))]),
      createPublicKey({ key: proof.key, format: 'jwk' }),
      bytes(proof.signature),
    )
  )
}

test('both sides sign their answer with a passkey, and the page has proofs of exactly what it says', async () => {
  const pair = await pairWithPasskeys()
  assert.equal((await sign(pair, pair.practice, pair.tutorDevice)).body.state, 'asked_by_you')
  const { status, body } = await sign(pair, pair.family, pair.familyDevice)
  assert.deepEqual([status, body.state], [200, 'closed'])
  const content = await contentOf(pair)
  const { family, practice } = content.proofs ?? {}
  assert.ok(family && practice)
  for (const proof of [family, practice]) {
    assert.ok(holds(proof, agreedText(content)))
    assert.ok(!holds(proof, agreedText({ ...content, tutor: 'Ingrid' })))
  }
  assert.notDeepEqual(family.key, practice.key)
  const file = await checked(pair)
  assert.deepEqual([file?.isGenuine, file?.passkeys], [true, { family: 'holds', tutor: 'holds' }])
  assert.deepEqual((await pageOf(pair, pair.family)).signed_by, ['family', 'tutor'])
  const text = (await textOfPdf((await pair.pdf(pair.practice)).bytes)).replaceAll(/\s+/g, ' ')
  assert.match(text, /asked to close the month on [^.]*\. Signed with a passkey\./)
  assert.match(text, /confirmed it on [^.]*\. Signed with a passkey\./)
  assert.match(await verify(server, String(body.code)), /Signed with a passkey by both sides\./)
  const { rows } = await owner.query('select asked_proof from closed_months where connection_id = $1', [
    pair.connection,
  ])
  assert.deepEqual(rows, [{ asked_proof: null }])
})

test('one side signs, and the other closes without', async () => {
  for (const signer of ['family', 'practice'] as const) {
    const pair = await pairWithPasskeys()
    const device = signer === 'family' ? pair.familyDevice : pair.tutorDevice
    await sign(pair, pair[signer], device)
    const { body } = await pair.close(signer === 'family' ? pair.practice : pair.family)
    assert.equal(body.state, 'closed')
    const content = await contentOf(pair)
    const word = signer === 'family' ? 'family' : 'tutor'
    const file = await checked(pair)
    assert.deepEqual(
      [file?.isGenuine, file?.passkeys],
      [true, { family: null, tutor: null, [word]: 'holds' }],
    )
    assert.deepEqual(Object.keys(content.proofs ?? {}), [signer])
    assert.deepEqual((await pageOf(pair, pair.practice)).signed_by, [word])
    assert.match(
      await verify(server, String(body.code)),
      new RegExp(`Signed with a passkey by the ${word}\\.`),
    )
  }
})

test('without a signature, a page says nothing of any, and has none', async () => {
  const pair = await pairWithPasskeys()
  await pair.close(pair.family)
  const { body } = await pair.close(pair.practice)
  assert.ok(!('proofs' in (await contentOf(pair))))
  assert.deepEqual((await pageOf(pair, pair.family)).signed_by, [])
  assert.doesNotMatch(await textOfPdf((await pair.pdf(pair.practice)).bytes), /passkey/)
  assert.doesNotMatch(await verify(server, String(body.code)), /passkey/)
})

test('A23: an answer whose passkey was replayed, on another site, someone else’s, or without anyone present is refused, and nothing is asked', async () => {
  const pair = await pairWithPasskeys()
  const refuses = async (what: string, passkey: object) => {
    assert.deepEqual(refusal(await pair.close(pair.practice, { passkey })), [422, 'passkey_refused'], what)
    assert.equal((await monthOf(pair, pair.practice))?.state, 'open', what)
  }
  const used = await signature(pair, pair.practice, pair.tutorDevice)
  assert.equal((await pair.close(pair.practice, { passkey: used })).body.state, 'asked_by_you')
  await withdraw(pair, pair.practice)
  await refuses('replayed', used)
  const lies = {
    'another origin': { origin: 'https://tutorlog.example.evil' },
    'another site': { rpId: 'example.evil' },
    'a count that went back': { count: 1 },
    'nobody present': { flags: 0 },
    'a challenge of its own': { challenge: 'bWFkZS11cA' },
    'making instead of using': { type: 'webauthn.create' },
    'a signature of something else': { signature: used.signature },
  }
  for (const [what, lie] of Object.entries(lies))
    await refuses(what, await signature(pair, pair.practice, pair.tutorDevice, lie))
  await refuses("the other side's passkey", await signature(pair, pair.practice, pair.familyDevice))
  await refuses('a device nobody knows', await signature(pair, pair.practice, aDevice()))
  await refuses("the other side's challenge", await signature(pair, pair.family, pair.tutorDevice))
  const late = await signature(pair, pair.practice, pair.tutorDevice)
  const before = server.clock.now
  server.clock.now = new Date(before.getTime() + 11 * 60_000)
  await refuses('too late', late)
  server.clock.now = before
  // A passkey that proves who someone is signs nothing, and the other way around.
  const proving = (await pair.practice.call('POST', '/api/v1/me/proof/start', {})).body
  const proof = pair.tutorDevice.use(proving as unknown as UsingOptions)
  await refuses('a proof of who it is', { ...proof, nonce: used.nonce })
  const { nonce: _nonce, ...signed } = await signature(pair, pair.practice, pair.tutorDevice)
  const proved = await pair.practice.call('POST', '/api/v1/me/proof', { passkey: signed })
  assert.deepEqual(refusal(proved), [422, 'passkey_refused'])
  // Someone who wasn't recognized, but is there, may sign; the page says which it was.
  assert.equal((await sign(pair, pair.practice, pair.tutorDevice, { flags: 1 })).status, 200)
})

test('A23: a signature of another month, or with another family, is refused', async () => {
  const pair = await pairWithPasskeys()
  const other = await connected(server, pair)
  await other.agree('2026-11-03')
  await pair.agree('2026-10-10')
  const started = async () => {
    const { nonce, options } = (await start(pair, pair.practice, '2026-10')).body as unknown as Started
    return { ...pair.tutorDevice.use(options), nonce }
  }
  const november = await signature(pair, pair.practice, pair.tutorDevice)
  assert.deepEqual(refusal(await other.close(pair.practice, { passkey: november })), [422, 'passkey_refused'])
  const october = await started()
  assert.deepEqual(refusal(await pair.close(pair.practice, { passkey: october })), [422, 'passkey_refused'])
  const asked = await pair.close(pair.practice, { month: '2026-10', passkey: await started() })
  assert.equal(asked.body.state, 'asked_by_you')
})

test('what changed since the signing was started is refused as changed, and a nonce made up by the browser, too', async () => {
  const pair = await pairWithPasskeys()
  const early = await signature(pair, pair.practice, pair.tutorDevice)
  await pair.agree('2026-11-17')
  assert.deepEqual(refusal(await pair.close(pair.practice, { passkey: early })), [409, 'changed'])
  const own = { ...(await signature(pair, pair.practice, pair.tutorDevice)), nonce: 'A'.repeat(43) }
  assert.deepEqual(refusal(await pair.close(pair.practice, { passkey: own })), [409, 'changed'])
  assert.equal((await monthOf(pair, pair.practice))?.state, 'open')
  // Somebody on this side asked in between. A signature doesn't get lost in silence.
  const late = await signature(pair, pair.practice, pair.tutorDevice)
  await pair.close(pair.practice)
  assert.deepEqual(refusal(await pair.close(pair.practice, { passkey: late })), [409, 'changed'])
  assert.deepEqual(refusal(await start(pair, pair.practice)), [409, 'changed'])
})

test("a request's signature is left out of a page that says something else, and withdrawing forgets it", async () => {
  const pair = await pairWithPasskeys()
  const asked = async () =>
    (
      await owner.query<{ is_signed: boolean }>(
        'select asked_proof is not null as is_signed from closed_months where connection_id = $1',
        [pair.connection],
      )
    ).rows.map((row) => row.is_signed)
  await sign(pair, pair.practice, pair.tutorDevice)
  assert.deepEqual(await asked(), [true])
  await withdraw(pair, pair.practice)
  assert.deepEqual(await asked(), [])
  await pair.close(pair.practice)
  assert.deepEqual(await asked(), [false])
  await withdraw(pair, pair.practice)
  await sign(pair, pair.practice, pair.tutorDevice)
  await pair.agree('2026-11-17')
  const { body } = await sign(pair, pair.family, pair.familyDevice)
  assert.equal(body.state, 'closed')
  assert.deepEqual(Object.keys((await contentOf(pair)).proofs ?? {}), ['family'])
})

test("the page's hash covers its proofs", async () => {
  const pair = await pairWithPasskeys()
  await sign(pair, pair.practice, pair.tutorDevice)
  const { body } = await sign(pair, pair.family, pair.familyDevice)
  const content = await contentOf(pair)
  const { family, practice } = content.proofs ?? {}
  assert.ok(family && practice)
  const without = { ...content }
  delete without.proofs
  const others: MonthContent[] = [
    without,
    { ...content, proofs: { family } },
    { ...content, proofs: { family: practice, practice: family } },
    ...(['nonce', 'authenticator_data', 'client_data', 'signature'] as const).map((field) => ({
      ...content,
      proofs: { practice, family: { ...family, [field]: 'AA' } },
    })),
    ...(['kty', 'crv', 'x', 'y'] as const).map((field) => ({
      ...content,
      proofs: { practice, family: { ...family, key: { ...family.key, [field]: 'AA' } } },
    })),
  ]
  assert.equal(new Set([content, ...others].map(contentText)).size, others.length + 1)
  assert.match(await verify(server, String(body.code)), /This statement is genuine/)
  await owner.query(
    "update closed_months set content = jsonb_set(content, '{proofs,family,signature}', '\"AA\"') where connection_id = $1",
    [pair.connection],
  )
  assert.match(await verify(server, String(body.code)), /has changed since/)
})

test('a page keeps its signatures when the passkey is removed, and when the account is erased', async () => {
  const pair = await pairWithPasskeys()
  await sign(pair, pair.family, pair.familyDevice)
  await sign(pair, pair.practice, pair.tutorDevice)
  const before = (await pair.pdf(pair.practice)).bytes
  const { passkeys } = (await pair.family.call('GET', '/api/v1/me/passkeys')).body as unknown as {
    passkeys: { id: string }[]
  }
  const removed = await pair.family.call('DELETE', `/api/v1/me/passkeys/${String(passkeys[0]?.id)}`, {})
  assert.equal(removed.status, 204)
  assert.ok((await pair.pdf(pair.practice)).bytes.equals(before))
  await erase(pair.family)
  assert.ok((await pair.pdf(pair.practice)).bytes.equals(before))
  assert.deepEqual((await pageOf(pair, pair.practice)).signed_by, ['family', 'tutor'])
})

/** Deletes an account and waits until it's erased. */
async function erase(who: Caller): Promise<void> {
  assert.equal((await who.call('DELETE', '/api/v1/me', { current_password: PASSWORD })).status, 204)
  await owner.query(
    "update users set deletion_asked_at = deletion_asked_at - interval '40 days' where id = $1",
    [who.id],
  )
  await server.runTask('purge_accounts')
}

test("erasing an account forgets the signature of a request that wasn't answered", async () => {
  const pair = await pairWithPasskeys()
  await sign(pair, pair.family, pair.familyDevice)
  await erase(pair.family)
  const { rows } = await owner.query(
    'select family_id, asked_proof from closed_months where connection_id = $1',
    [pair.connection],
  )
  assert.deepEqual(rows, [{ family_id: null, asked_proof: null }])
})

test('signing starts only for a side that can close the month, and only with a passkey', async () => {
  const pair = await connected(server)
  await pair.agree('2026-11-03')
  assert.deepEqual(refusal(await start(pair, pair.family)), [409, 'no_passkey'])
  await withPasskey(pair.family)
  const { options } = (await start(pair, pair.family)).body as unknown as Started
  assert.equal(options.allowCredentials.length, 1)
  assert.equal((await start(pair, await server.aUser())).status, 404)
  assert.equal((await pair.log('2026-11-20')).status, 201)
  assert.deepEqual(refusal(await start(pair, pair.family)), [409, 'still_open'])
  assert.deepEqual(refusal(await start(pair, pair.family, '2026-12')), [409, 'not_over'])
  assert.deepEqual(refusal(await start(pair, pair.family, '2026-10')), [409, 'nothing_to_close'])
})

test('I1: whatever is sent as a signature is refused, never a failure', async () => {
  const pair = await pairWithPasskeys()
  const junk = ['AA', 'e30', 'bnVsbA', 'A'.repeat(43), Buffer.from('[1]').toString('base64url')]
  for (const field of ['id', 'client_data', 'authenticator_data', 'signature', 'user_handle', 'nonce'])
    for (const text of junk) {
      const good = await signature(pair, pair.practice, pair.tutorDevice)
      const { status } = await pair.close(pair.practice, { passkey: { ...good, [field]: text } })
      assert.ok(status === 422 || (status === 409 && field === 'nonce'), `${field} ${text} ${status}`)
    }
  const good = await signature(pair, pair.practice, pair.tutorDevice)
  for (const wrong of [null, 7, {}, { ...good, more: 1 }, { ...good, nonce: undefined }])
    assert.equal((await pair.close(pair.practice, { passkey: wrong })).status, 422)
  assert.equal((await monthOf(pair, pair.practice))?.state, 'open')
})

test('a key of each kind that devices may make is kept as a JWK', () => {
  const cbor = (hex: string) => Buffer.from(hex, 'hex')
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  assert.deepEqual(
    jwkOf(
      Buffer.concat([cbor('a5010203262001215820'), bytes(ec.x ?? ''), cbor('225820'), bytes(ec.y ?? '')]),
    ),
    ec,
  )
  const okp = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  assert.deepEqual(jwkOf(Buffer.concat([cbor('a4010103272006215820'), bytes(okp.x ?? '')])), okp)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
  assert.deepEqual(
    jwkOf(
      Buffer.concat([cbor('a401030339010020590100'), bytes(rsa.n ?? ''), cbor('2143'), bytes(rsa.e ?? '')]),
    ),
    rsa,
  )
})
