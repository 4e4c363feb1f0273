// Routes for the contact form, robots.txt, security.txt and the sitemap.
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { done } from '#kernel/outcome.ts'
import { hitLimit } from '#platform/http/rate-limit.server.ts'
import { serve } from '#features/access/operation.server.ts'
import { type Services, tooMany } from '#features/access/admission.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { PER_ADDRESS, PER_SENDER, SendMessage } from './contact.ts'
import { APP_PAGES, INDEXED_PAGES } from './paths.ts'
import { securityText } from './security-text.ts'

interface SiteServices extends Services {
  /** The mailbox that messages are sent to. No request can change it (promise I7). */
  contactTo: string
  /** Where people may report a weakness; undefined if the operator set no address. */
  securityContact: string | undefined
}

export function addSiteRoutes(app: FastifyInstance, services: SiteServices): void {
  serve(app, services, SendMessage, async ({ tx, input, limitKey }) => {
    const address = createHash('sha256').update(input.email.toLowerCase()).digest('base64url')
    const wait =
      (await hitLimit(tx, `contact:${limitKey}`, PER_SENDER)) ??
      (await hitLimit(tx, `contact-address:${address}`, PER_ADDRESS))
    if (wait !== undefined) throw tooMany(wait)
    await queueMail(tx, { userId: null, recipient: services.contactTo, kind: 'contact', data: input })
    return done({ message: 'Thank you. Your message is on its way.' })
  })

  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        [
          'User-agent: *',
          ...[...APP_PAGES.filter((path) => !path.includes(':')), '/api/'].map((path) => `Disallow: ${path}`),
          '',
          `Sitemap: ${services.baseUrl}/sitemap.xml`,
          '',
        ].join('\n'),
      ),
  )

  const { securityContact: contact, baseUrl, now } = services
  if (contact)
    app.get('/.well-known/security.txt', async (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'public, max-age=3600')
        .send(securityText({ contact, baseUrl }, now())),
    )

  app.get('/sitemap.xml', async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n` +
          `${INDEXED_PAGES.map((path) => `  <url><loc>${services.baseUrl}${path}</loc></url>\n`).join('')}</urlset>\n`,
      ),
  )
}
