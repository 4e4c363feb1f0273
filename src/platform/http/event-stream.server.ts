// Streams of server-sent events that stay open for hours.
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

/**
 * Sends the headers of an event stream and returns its socket, to which the caller writes events as text.
 * Detaches the socket from the HTTP server, because the request, the response, the parser and the hooks'
 * context would take more memory than the socket itself. The response isn't chunked, so the body ends when
 * the connection closes (RFC 9112, section 6.3).
 */
export function openEventStream(reply: FastifyReply): Socket {
  const { raw } = reply
  const { socket } = raw
  if (!socket) throw new Error('the caller has left')
  const headers = {
    ...reply.getHeaders(),
    date: new Date().toUTCString(),
    connection: 'close',
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  reply.hijack()
  // Makes Node treat the response as sent, so that it runs our hooks and then frees the parser.
  raw.emit('finish')
  socket.emit('close', false)
  for (const event of ['data', 'drain', 'end', 'error', 'timeout', 'close']) socket.removeAllListeners(event)
  socket.setTimeout(0)
  // Discards anything else that the caller sends.
  socket.on('error', () => undefined)
  socket.on('end', () => socket.destroy())
  socket.resume()
  socket.write(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`)
  return socket
}
