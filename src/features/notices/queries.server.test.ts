import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { deleteUnsubscribesBefore, insertUnsubscribe, isOptedOut, unsubscribe } from './queries.server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

test("P9: a link stops emails to its address, however that's spelled, until the link expires, and they stay stopped", async () => {
  await server.db.asSystem(async (tx) => {
    await insertUnsubscribe(tx, 'a token', { address: 'Ingrid@example.com' })
    assert.equal(await isOptedOut(tx, 'ingrid@example.com'), false)
    assert.equal(await unsubscribe(tx, 'a token'), true)
    await deleteUnsubscribesBefore(tx, new Date(Date.now() - 60_000))
    assert.equal(await unsubscribe(tx, 'a token'), true, 'a second click changes nothing')
    await deleteUnsubscribesBefore(tx, new Date(Date.now() + 60_000))
    assert.equal(await unsubscribe(tx, 'a token'), false)
    assert.equal(await isOptedOut(tx, 'INGRID@example.com'), true)
  })
})
