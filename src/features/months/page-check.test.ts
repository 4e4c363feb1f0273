import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PasskeyProof } from './agreed.ts'
import { newKey, signPage } from './key-commands.server.ts'
import { answerOf, checkPage, readKeys } from './page-check.ts'
import { attachmentOf, type SignedFacts } from './signed-page.ts'

const VECTORS = join(import.meta.dirname, '../../../docs/page-format')
const read = (name: string) => readFileSync(join(VECTORS, name))

test('D16: each test vector of the format gets its answer', async () => {
  const keys = await readKeys(read('keys.json').toString())
  const expected = JSON.parse(read('expected.json').toString()) as Record<string, string>
  const files = readdirSync(VECTORS).filter((name) => !['keys.json', 'expected.json'].includes(name))
  const answers = await Promise.all(
    files.map(async (name) => [name, answerOf(await checkPage(read(name), keys?.keys ?? []))]),
  )
  assert.deepEqual(Object.fromEntries(answers), expected)
  assert.deepEqual(
    new Set(Object.values(expected)),
    new Set(['genuine', 'changed', 'unknown_key', 'passkey', 'no_page']),
  )
})

test('a file of keys counts only if each id is the one of its key', async () => {
  const text = read('keys.json').toString()
  assert.ok(await readKeys(text))
  for (const changed of [
    text.replace(/("public_key": "[0-9a-f]{63})[0-9a-f]/, '$1x'),
    text.replace(/("public_key": ")[0-9a-f]{4}/, '$10000'),
    text.replace(/("id": ")[0-9a-f]{4}/, '$10000'),
    text.replace('tutorlog-page-keys-1', 'tutorlog-page-keys-2'),
    '{',
    'null',
  ])
    assert.equal(await readKeys(changed), undefined, changed)
})

test('a file with two pages has none', async () => {
  const keys = (await readKeys(read('keys.json').toString()))?.keys ?? []
  const second = Buffer.concat([
    Buffer.from('\nstream\n'),
    read('genuine.json'),
    Buffer.from('\nendstream\n'),
  ])
  assert.equal(answerOf(await checkPage(Buffer.concat([read('genuine.pdf'), second]), keys)), 'no_page')
})

/** A page that the server signed, with the family's signature by passkey over what `changes` says. */
async function withPasskey(changes: {
  type?: string
  origin?: string
  host?: string
  flags?: number
  text?: string
}) {
  const key = newKey()
  const genuine = JSON.parse(
    (JSON.parse(read('genuine.json').toString()) as { page: string }).page,
  ) as SignedFacts
  const hash = (data: string | Buffer) => createHash('sha256').update(data).digest()
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { type = 'webauthn.get', origin = 'https://tutorlog.example', host = 'tutorlog.example' } = changes
  const challenge = hash(`nonce\n${changes.text ?? genuine.agreed}`).toString('base64url')
  const clientData = Buffer.from(JSON.stringify({ type, challenge, origin }))
  const authenticator = Buffer.concat([hash(host), Buffer.of(changes.flags ?? 5, 0, 0, 0, 0)])
  const passkey = {
    key: publicKey.export({ format: 'jwk' }) as PasskeyProof['key'],
    nonce: 'nonce',
    authenticator_data: authenticator.toString('base64url'),
    client_data: clientData.toString('base64url'),
    signature: sign('sha256', Buffer.concat([authenticator, hash(clientData)]), privateKey).toString(
      'base64url',
    ),
  }
  const { family, tutor } = genuine.answers
  const page = JSON.stringify({ ...genuine, answers: { family: { ...family, passkey }, tutor } })
  const published = { id: key.id, public_key: key.publicKey.toString('hex'), made_at: '', retired_at: null }
  return answerOf(await checkPage(Buffer.from(attachmentOf(signPage(key, page))), [published]))
}

test('a signature by passkey holds only for this text, this site, and with somebody there', async () => {
  assert.equal(await withPasskey({}), 'genuine')
  for (const changes of [
    { type: 'webauthn.create' },
    { origin: 'https://tutorlog.example.evil' },
    { host: 'evil.example' },
    { flags: 4 },
    { text: 'something else' },
  ])
    assert.equal(await withPasskey(changes), 'passkey', JSON.stringify(changes))
})
