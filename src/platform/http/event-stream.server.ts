// Streams of server-sent events that stay open for hours.
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/**
 * Sends the headers of an event stream and returns the response, to which the caller writes events as text. The
 * response has to be ended by whoever opened the stream.
 */
export function openEventStream(reply: FastifyReply): ServerResponse {
  const { raw } = reply
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200, {
    // The stream ends with its connection, so nothing waits behind it on the same one.
    connection: 'close',
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.socket?.setTimeout(0)
  // An event may be written between the end of a stream and the moment its connection has closed.
  raw.on('error', () => undefined)
  return raw
}
