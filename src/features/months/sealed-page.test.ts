// A closed month's PDF with a seal: what a PDF viewer checks, and that the page still proves itself.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { madeCertificate, madeSeal } from '#main/testing/certificates.server.ts'
import { closed } from '#main/testing/months.server.ts'
import { removeScratch, scratchFolder, startTestServer, type TestServer } from '#main/testing.server.ts'
import { readConfig } from '#platform/config.server.ts'
import { sealPlace } from '#platform/pdf/seal-place.ts'
import { sealPlan, whyUnsealed } from '#platform/pdf/seal.server.ts'
import { checkPage, readKeys } from './page-check.ts'
import { KEYS_PATH } from './signed-page.ts'

const EXPIRY = new Date('2026-12-01T09:10:00Z')
const folder = scratchFolder()
let files: Awaited<ReturnType<typeof madeSeal>>
let server: TestServer
before(async () => {
  files = await madeSeal(folder, EXPIRY)
  server = await startTestServer(settings())
  server.clock.now = new Date('2026-12-01T09:00:00Z')
})
after(async () => {
  await server.stop()
  removeScratch(folder)
})

const settings = () => ({ SEAL_CERTIFICATE: files.SEAL_CERTIFICATE, SEAL_KEY: files.SEAL_KEY })
const publicKeys = async () =>
  (await readKeys((await server.app.inject({ method: 'GET', url: KEYS_PATH })).payload))?.keys ?? []
const isGenuine = async (file: Buffer) => (await checkPage(file, await publicKeys()))?.isGenuine ?? false
const isSealed = (file: Buffer) => sealPlace(file.toString('latin1')) !== undefined

/** Takes a seal out of a file like a viewer, and has OpenSSL check it. Returns what it says about the signature. */
function sealHolds(file: Buffer): boolean {
  const text = file.toString('latin1')
  const [start = 0, before = 0, from = 0, rest = 0] =
    /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)\]/.exec(text)?.slice(1).map(Number) ?? []
  const [content, seal] = [join(folder, 'content'), join(folder, 'seal.der')]
  writeFileSync(content, Buffer.concat([file.subarray(start, before), file.subarray(from, from + rest)]))
  writeFileSync(seal, Buffer.from(text.slice(before + 1, from - 1), 'hex'))
  const asked = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', seal, '-content', content]
  const trusting = ['-CAfile', files.authority, '-attime', String(server.clock.now.getTime() / 1000)]
  try {
    execFileSync('openssl', [...asked, ...trusting, '-out', join(folder, 'checked')], { stdio: 'pipe' })
    return true
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr)
    assert.match(said, /verification failure|Verification failure|Error reading|asn1/i, said)
    return false
  }
}

test('D16: with the operator’s certificate both sides get the same file, a viewer sees that it’s whole, and the page proves itself', async () => {
  const pair = await closed(server)
  const { bytes } = await pair.pdf(pair.family)
  server.clock.now = new Date(server.clock.now.getTime() + 60_000)
  assert.ok((await pair.pdf(pair.practice)).bytes.equals(bytes))
  const { start, end } = sealPlace(bytes.toString('latin1')) ?? assert.fail('no seal')
  const range = /\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(bytes.toString('latin1'))?.slice(1).map(Number)
  assert.deepEqual(range, [start - 1, end + 1, bytes.length - end - 1])
  assert.ok(bytes.includes('/M (D:20261201090000Z)'))
  assert.ok(sealHolds(bytes))
  assert.ok(await isGenuine(bytes))
})

test('any changed byte breaks the seal, and outside of it the page’s own signature too', async () => {
  const pair = await closed(server)
  const { bytes } = await pair.pdf(pair.family)
  const { start, end } = sealPlace(bytes.toString('latin1')) ?? assert.fail('no seal')
  const changedAt = (place: number) => {
    const changed = Buffer.from(bytes)
    changed[place] = (changed[place] ?? 0) ^ 1
    return changed
  }
  const outside = [9, 900, start - 2, end + 1, bytes.lastIndexOf('%tutorlog-file-1') + 60, bytes.length - 2]
  for (const place of outside) {
    assert.ok(!sealHolds(changedAt(place)), `byte ${place}`)
    assert.ok(!(await isGenuine(changedAt(place))), `byte ${place}`)
  }
  // The last digit of the seal itself. The page's own signature was made before the seal, and doesn't cover it.
  const inside = Buffer.from(bytes)
  inside.write(bytes.toString('latin1', end - 1, end) === '0' ? '1' : '0', end - 1)
  assert.ok(!sealHolds(inside))
  assert.ok(await isGenuine(inside))
  // Whatever isn't a hex digit isn't part of a seal.
  for (const place of [start - 1, end]) assert.ok(!(await isGenuine(changedAt(place))), `byte ${place}`)
})

test('a certificate that expired makes no seal, and the page is as genuine as ever', async () => {
  const pair = await closed(server)
  const was = server.clock.now
  server.clock.now = new Date(EXPIRY.getTime() + 1000)
  const { bytes } = await pair.pdf(pair.family)
  server.clock.now = was
  assert.ok(!isSealed(bytes))
  assert.ok(!bytes.includes('/AcroForm'))
  assert.ok(await isGenuine(bytes))
  assert.ok(isSealed((await pair.pdf(pair.family)).bytes))
})

test('a seal says when the month was closed, or since when its certificate is valid if that was later', () => {
  const { seal } = readConfig(settings())
  const planned = (moment: string) => seal && sealPlan(seal, new Date(moment)).at.toISOString()
  assert.equal(planned('2026-12-01T09:00:00.000Z'), '2026-12-01T09:00:00.000Z')
  assert.equal(planned('2019-12-01T09:00:00.000Z'), '2020-01-01T00:00:00.000Z')
})

test('a start with a certificate or key that can’t seal stops with one line that has neither', async () => {
  mkdirSync(join(folder, 'other'))
  const [other, elliptic] = [await madeSeal(join(folder, 'other')), await madeCertificate()]
  const kept = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const keptKey = (name: string, key: KeyObject) =>
    kept(name, key.export({ type: 'pkcs8', format: 'pem' }).toString())
  const salted = keptKey('salted.pem', generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey)
  const short = keptKey('short.pem', generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)
  const ellipticKey = kept('elliptic.pem', elliptic.key)
  const pasted = readFileSync(files.SEAL_KEY, 'utf8')
  type Wrong = [settings: Record<string, string>, said: RegExp]
  const wrong: Wrong[] = [
    [{ SEAL_CERTIFICATE: files.SEAL_CERTIFICATE }, /^SEAL_CERTIFICATE and SEAL_KEY go together/],
    [{ SEAL_KEY: files.SEAL_KEY }, /^SEAL_CERTIFICATE and SEAL_KEY go together/],
    [{ ...settings(), SEAL_CERTIFICATE: '/missing.pem' }, /^SEAL_CERTIFICATE is not valid: .*ENOENT/],
    [{ ...settings(), SEAL_KEY: '/missing.pem' }, /^SEAL_KEY is not valid: .*ENOENT/],
    [{ ...settings(), SEAL_CERTIFICATE: files.SEAL_KEY }, /^SEAL_CERTIFICATE is not valid: .*PEM/],
    [{ ...settings(), SEAL_KEY: files.SEAL_CERTIFICATE }, /^SEAL_KEY is not valid: .*PEM/],
    [{ ...settings(), SEAL_KEY: other.SEAL_KEY }, /^SEAL_KEY is not valid: it is not the key/],
    ...[ellipticKey, salted, short].map((path): Wrong => [
      { ...settings(), SEAL_KEY: path },
      /^SEAL_KEY is not valid: it has to be an RSA key with at least 2048 bits/,
    ]),
    [{ ...settings(), SEAL_KEY: pasted }, /^SEAL_KEY is not valid/],
  ]
  for (const [given, said] of wrong)
    assert.throws(
      () => readConfig(given),
      ({ message }: Error) => said.test(message) && !message.includes('\n') && !message.includes('-----'),
      String(said),
    )
  const { seal } = readConfig(settings())
  const said = (day: string) => whyUnsealed(seal, new Date(day))
  assert.deepEqual([said('2026-12-01'), whyUnsealed(undefined, EXPIRY)], [undefined, undefined])
  assert.match(said('2026-12-02') ?? '', /^SEAL_CERTIFICATE expired on 2026-12-01: /)
  assert.match(said('2019-06-02') ?? '', /^SEAL_CERTIFICATE is not valid before 2020-01-01: /)
})
