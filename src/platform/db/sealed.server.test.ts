import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { generateHybridIdentity, identityToRecipient } from 'age-encryption'
import { isRecipient, isSealed, makeKeyFile, opened, readKeys, sealedTo } from './sealed.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'tutorlog-sealed-'))
after(() => rmSync(folder, { recursive: true }))

const [ours, theirs, file] = ['ours.txt', 'theirs.txt', 'backup.age'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
/** Three chunks and a half. */
const content = randomBytes(3.5 * 65_536)
let recipients: string[]
before(async () => {
  recipients = [await makeKeyFile(ours, new Date()), await makeKeyFile(theirs, new Date())]
  await seal(file, recipients.slice(0, 1))
})

async function seal(to: string, keys: string[]): Promise<void> {
  await pipeline(Readable.from([content]), sealedTo(keys), createWriteStream(to))
}

async function contentOf(path: string, keys: string[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of opened(path, keys)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('F15: what was sealed comes back with the key, with either of two keys, and not with another', async () => {
  const sealed = readFileSync(file)
  assert.ok(sealed.toString('latin1').startsWith('age-encryption.org/v1\n-> X25519 '))
  assert.equal(sealed.indexOf(content.subarray(0, 16)), -1)
  assert.deepEqual([await isSealed(file), await isSealed(ours)], [true, false])
  assert.deepEqual(await contentOf(file, await readKeys(ours)), content)
  assert.deepEqual(await contentOf(file, [...(await readKeys(theirs)), ...(await readKeys(ours))]), content)
  await assert.rejects(contentOf(file, await readKeys(theirs)), /This key doesn't open .* to a different one/)
  await assert.rejects(contentOf(file, []), /This key doesn't open/)
  const both = join(folder, 'both.age')
  await seal(both, recipients)
  for (const key of [ours, theirs]) assert.deepEqual(await contentOf(both, await readKeys(key)), content)
})

test('F15: a sealed file with any byte changed, missing or added is refused', async () => {
  const [sealed, keys, changed] = [readFileSync(file), await readKeys(ours), join(folder, 'changed.age')]
  const refused = async (bytes: Uint8Array, where: string) => {
    writeFileSync(changed, bytes)
    await assert.rejects(contentOf(changed, keys), /doesn't open|is damaged/, where)
  }
  const body = sealed.indexOf('\n--- ') + 1
  const places = [30, 60, 100, body - 3, body + 10, body + 46, body + 52, body + 70_000, sealed.length - 1]
  for (const place of places) {
    const flipped = Buffer.from(sealed)
    flipped[place]! ^= 1
    await refused(flipped, `byte ${place} flipped`)
  }
  const start = body + '--- '.length + 43 + 1 + 16
  for (const length of [
    start + 65_552,
    start + 2 * 65_552,
    start + 3 * 65_552,
    start,
    body,
    sealed.length - 1,
  ])
    await refused(sealed.subarray(0, length), `cut to ${length}`)
  await refused(Buffer.concat([sealed, Buffer.of(0)]), 'a byte added')
  const [first, second] = [
    sealed.subarray(start, start + 65_552),
    sealed.subarray(start + 65_552, start + 131_104),
  ]
  await refused(
    Buffer.concat([sealed.subarray(0, start), second, first, sealed.subarray(start + 131_104)]),
    'two chunks swapped',
  )
})

test('F15: sealing reads on only as fast as the disk writes, so a large backup takes no more memory', async () => {
  let given = 0
  async function* endless() {
    for (;;) yield randomBytes(65_536 + given++)
  }
  const sealed = sealedTo(recipients)(endless())
  for (let chunks = 0; chunks < 8; chunks++) await sealed.next()
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(given < 24, `${given} chunks were read for 8`)
  await sealed.return(undefined)
})

test('F15: key files are made once, readable by their owner alone, and anything else is refused as one', async () => {
  assert.equal(statSync(ours).mode & 0o777, 0o600)
  assert.match(readFileSync(ours, 'utf8'), /^# created: .*\n# public key: age1\w+\nAGE-SECRET-KEY-1\w+\n$/)
  const before = readFileSync(ours)
  await assert.rejects(makeKeyFile(ours, new Date()), /exists already/)
  assert.deepEqual(readFileSync(ours), before)
  const strange = join(folder, 'strange.txt')
  for (const text of ['', '# nothing\n', `${recipients[0]}\n`, 'AGE-SECRET-KEY-1QQQQ\n', 'hello']) {
    writeFileSync(strange, text)
    await assert.rejects(readKeys(strange), /isn't a key file/, text)
  }
  await assert.rejects(readKeys(join(folder, 'missing')), /can't be read \(ENOENT\)/)
  writeFileSync(strange, `\r\n# ours\r\n${before.toString()}\r\n`)
  assert.equal((await readKeys(strange)).length, 1)
})

test('F15: a public key is checked before anything is encrypted to it', async () => {
  const [own = ''] = recipients
  const later = await identityToRecipient(await generateHybridIdentity())
  assert.deepEqual([own, later].map(isRecipient), [true, true])
  const [key = ''] = await readKeys(ours)
  const wrong = [
    '',
    'age1',
    `${own}x`,
    own.slice(0, -1),
    own.replace(/.$/, own.endsWith('q') ? 'p' : 'q'),
    key,
    // Its private key can't leave a device, so a file couldn't open it.
    'age1tag1qgnj7ykvnre368cpav77yggj33n3ckfufvjtq8xj9l8nss6agqrngm3vesz',
  ]
  assert.deepEqual(wrong.filter(isRecipient), [])
})
