import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { addCompression } from './compress.server.ts'

/** A server that returns text of the given length and type. */
function aServer() {
  const app = fastify()
  addCompression(app)
  app.get('/text', async (request, reply) => {
    const { length, type = 'application/json; charset=utf-8' } = request.query as Record<string, string>
    return reply.type(type).send('é'.repeat(Number(length) / 2))
  })
  const ask = async (length: number, accepted?: string, type?: string) =>
    app.inject({
      url: '/text',
      query: { length: String(length), ...(type ? { type } : {}) },
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    })
  return { ask }
}

test('a response over 1 kB is compressed as its caller takes it, and reads the same', async () => {
  const { ask } = aServer()
  // Lengths below and above the limit for compressing on the main thread.
  for (const length of [1024, 32 * 1024, 200_000]) {
    const plain = (await ask(length)).rawPayload
    const [br, zipped] = [await ask(length, 'gzip, deflate, br, zstd'), await ask(length, 'gzip;q=0.5')]
    assert.deepEqual([br.headers['content-encoding'], zipped.headers['content-encoding']], ['br', 'gzip'])
    assert.deepEqual([brotliDecompressSync(br.rawPayload), gunzipSync(zipped.rawPayload)], [plain, plain])
    assert.equal(br.headers['content-length'], String(br.rawPayload.length))
    assert.equal(br.headers.vary, 'accept-encoding')
    assert.ok(br.rawPayload.length < length / 4)
  }
})

test('a small response, a file that is compressed by itself, and one for a caller that takes no encoding go out as they are', async () => {
  const { ask } = aServer()
  for (const answer of [
    await ask(1000, 'br'),
    await ask(5000, 'br', 'application/pdf'),
    await ask(5000, 'br;q=0, identity'),
    await ask(5000, ''),
  ])
    assert.deepEqual([answer.headers['content-encoding'], answer.statusCode], [undefined, 200])
  assert.equal((await ask(5000)).headers.vary, 'accept-encoding', 'a cache keeps it for its like only')
})
