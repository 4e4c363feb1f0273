// The local mailbox, as a page for people and as JSON for programs. It's available only on loopback, and only
// if no SMTP server is configured (docs/contract.md, HTTP).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isFromThisMachine } from '#platform/http/metrics.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { readMailbox } from './mailer.server.ts'
import { escapeHtml } from './template.server.ts'

export function addMailbox(app: FastifyInstance, folder: string): void {
  app.get<{ Querystring: { to?: string } }>('/mailbox/messages', async (request, reply) => {
    refuseStrangers(request)
    const to = typeof request.query.to === 'string' ? request.query.to : undefined
    return reply.header('cache-control', 'no-store').send(await readMailbox(folder, to))
  })
  app.get('/mailbox', async (request, reply) => {
    refuseStrangers(request)
    const mails = await readMailbox(folder)
    const items = mails.map(
      (mail) =>
        `<li><h2>${escapeHtml(mail.subject)}</h2><p>To ${escapeHtml(mail.to)}, ${escapeHtml(mail.sent_at)}</p><p>${linked(mail.text)}</p></li>`,
    )
    return reply
      .type('text/html')
      .header('cache-control', 'no-store')
      .send(
        `<!doctype html><html lang="en"><head>` +
          `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mailbox</title></head>` +
          `<body><h1>Local mailbox</h1><p>Emails go here because SMTP_URL is not set.</p><ul>${items.join('') || '<li>No mails yet</li>'}</ul></body></html>`,
      )
  })
}

// Also checks the Host header, because another site could point its domain name at this port (DNS rebinding).
function refuseStrangers(request: FastifyRequest): void {
  if (!isFromThisMachine(request)) throw new ProblemError(404, 'not_found', 'This does not exist')
}

function linked(text: string): string {
  return escapeHtml(text)
    .replaceAll(/https?:&#47;&#47;\S+|https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)
    .replaceAll('\n', '<br>')
}
