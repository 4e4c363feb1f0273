// A closed month's page proves itself: with the server gone, its file and the public keys are enough.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { closed, connected } from '#main/testing/months.server.ts'
import { textOfPdf } from '#main/testing/paper.server.ts'
import { preparePageKeys, rotateKey } from './key-commands.server.ts'
import { checkPage, readKeys } from './page-check.ts'
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

/** The public keys, as anybody gets them. */
async function publishedKeys() {
  const answer = await server.app.inject({ method: 'GET', url: KEYS_PATH })
  assert.match(String(answer.headers['cache-control']), /public/)
  assert.doesNotMatch(answer.payload, /private/)
  const file = await readKeys(answer.payload)
  assert.ok(file, answer.payload)
  return file
}

test('D16: the file of a closed month proves what both sides agreed to, who answered, when and how', async () => {
  const pair = await closed(server)
  const { bytes } = await pair.pdf(pair.family)
  const checked = await checkPage(bytes, (await publishedKeys()).keys)
  assert.deepEqual(
    { ...checked, facts: { ...checked?.facts, agreed: '' }, agreed: undefined, key: undefined },
    {
      isGenuine: true,
      page: 'holds',
      file: 'holds',
      passkeys: { family: null, tutor: null },
      agreed: undefined,
      key: undefined,
      facts: {
        format: 'tutorlog-page-1',
        agreed: '',
        asked_by: 'family',
        asked_at: '2026-12-01T09:00:00.000Z',
        closed_at: '2026-12-01T09:00:00.000Z',
        signed_at: '2026-12-01T09:00:00.000Z',
        code: pair.code.replace('-', ''),
        url: `http://localhost:3000/verify/${pair.code}`,
        time_zone: 'UTC',
        region: null,
        answers: {
          family: { at: '2026-12-01T09:00:00.000Z', how: 'account', passkey: null },
          tutor: { at: '2026-12-01T09:00:00.000Z', how: 'account', passkey: null },
        },
      },
    },
  )
  const { agreed } = checked ?? {}
  assert.deepEqual(
    [agreed?.month, agreed?.sessions.map(({ day, total_cents: total }) => [day, total]), agreed?.due_cents],
    [
      '2026-11',
      [
        ['2026-11-03', 4500],
        ['2026-11-10', 4500],
      ],
      9000,
    ],
  )
  const words = (await textOfPdf(bytes)).replaceAll(/\s+/g, ' ')
  assert.match(words, /Signed by http:\/\/localhost:3000 with key [0-9a-f]{4} .*verify\.html checks them/)
})

test('any changed byte of the file is noticed, and so is another key', async () => {
  const { pdf, family } = await closed(server)
  const { bytes } = await pdf(family)
  const { keys } = await publishedKeys()
  // A byte of each part of the file, and every byte of its end.
  const places = [
    ...Array.from({ length: 60 }, (_, part) => Math.floor((part * bytes.length) / 60)),
    ...Array.from({ length: 260 }, (_, back) => bytes.length - 1 - back),
  ]
  for (const place of places) {
    const changed = Buffer.from(bytes)
    changed[place] = (changed[place] ?? 0) ^ 1
    assert.notEqual((await checkPage(changed, keys))?.isGenuine, true, `byte ${place} of ${bytes.length}`)
  }
  for (const changed of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from('\n')])])
    assert.notEqual((await checkPage(changed, keys))?.isGenuine, true)
  const unknown = await checkPage(bytes, [])
  assert.deepEqual([unknown?.isGenuine, unknown?.page, unknown?.file], [false, 'unknown_key', 'unknown_key'])
})

test('after a rotation the old private key is gone, and pages from before still verify, printed then or now', async () => {
  const pair = await closed(server)
  const before = (await pair.pdf(pair.family)).bytes
  const old = (await publishedKeys()).keys[0]
  server.clock.now = new Date(server.clock.now.getTime() + 1000)
  const next = await rotateKey(server.db, server.clock.now)
  const { keys } = await publishedKeys()
  assert.deepEqual(
    keys.slice(0, 2).map(({ id, retired_at: retired }) => [id, retired]),
    [
      [next, null],
      [old?.id, server.clock.now.toISOString()],
    ],
  )
  const { rows } = await owner.query('select id from page_keys where private_key is not null')
  assert.deepEqual(rows, [{ id: next }])
  const now = (await pair.pdf(pair.practice)).bytes
  for (const bytes of [before, now]) {
    const checked = await checkPage(bytes, keys)
    assert.deepEqual([checked?.isGenuine, checked?.key], [true, old?.id])
  }
  const after = await closed(server)
  assert.equal((await checkPage((await after.pdf(after.family)).bytes, keys))?.key, next)
})

test('a month closed before pages were signed is signed at the next start, as it is stored', async () => {
  const pair = await closed(server)
  const unsigned = () =>
    owner.query(
      'update closed_months set signed_page = null, page_key = null, page_signature = null where connection_id = $1',
      [pair.connection],
    )
  await unsigned()
  assert.equal(await checkPage((await pair.pdf(pair.family)).bytes, (await publishedKeys()).keys), undefined)
  const start = new Date('2027-01-05T08:00:00Z')
  assert.equal(await preparePageKeys(server.db, start), 1)
  assert.equal(await preparePageKeys(server.db, start), 0)
  const checked = await checkPage((await pair.pdf(pair.practice)).bytes, (await publishedKeys()).keys)
  assert.deepEqual(
    [checked?.isGenuine, checked?.facts.signed_at, checked?.facts.answers.family.how],
    [true, start.toISOString(), null],
  )
})

test('nobody but the system role may read a private key, and no role may change a public one or a signed page', async () => {
  const pair = await connected(server)
  for (const { member } of [pair.family, pair.practice])
    await assert.rejects(
      server.db.asMember(member, (tx) => tx.selectFrom('page_keys').select('private_key').execute()),
      /permission denied/,
    )
  await assert.rejects(
    server.db.asSystem((tx) =>
      tx
        .updateTable('page_keys')
        .set({ public_key: Buffer.alloc(32) })
        .execute(),
    ),
    /permission denied/,
  )
  await assert.rejects(
    server.db.asSystem((tx) => tx.deleteFrom('page_keys').execute()),
    /permission denied/,
  )
  await assert.rejects(
    server.db.asSystem((tx) => tx.updateTable('closed_months').set({ signed_page: 'x' }).execute()),
    /permission denied/,
  )
})
