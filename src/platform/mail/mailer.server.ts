// Sends emails through an SMTP server, or writes them to a local mailbox folder if there isn't one
// (docs/product-decisions.md, section 8).
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { isServerAway, MailServerAway } from './outage.server.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** The URL for one-click unsubscribe (RFC 8058). */
  unsubscribeUrl?: string
  /** The address for replies, if it's different from the sender's. */
  replyTo?: string
  /** The account that this email reminds of something. */
  reminds?: string
}

/** An email as shown in the local mailbox (docs/contract.md, HTTP). */
export interface SentMail extends Omit<Mail, 'replyTo' | 'unsubscribeUrl' | 'reminds'> {
  id: string
  from: string
  sent_at: string
}

/** Sends an email. Throws if the server doesn't accept it. Every attempt uses the same message id. */
export type SendMail = (id: string, mail: Mail) => Promise<void>

/**
 * Sends through an SMTP server. Throws MailServerAway if the failure has nothing to do with this email.
 * Emails are built only from strings, never from a file or URL (promise I9).
 */
export function smtpMailer(smtpUrl: string, from: string): SendMail {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0])
  return async (id, mail) => {
    const message = {
      from,
      to: { name: '', address: mail.to },
      ...(mail.replyTo ? { replyTo: { name: '', address: mail.replyTo } } : {}),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${id}@${domainOf(from)}>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(mail.unsubscribeUrl
          ? {
              'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }
          : {}),
      },
    }
    await transport.sendMail(message).catch((error: unknown) => {
      throw isServerAway(error) ? new MailServerAway(error) : error
    })
  }
}

/** Saves each email as a JSON file in a folder. */
export function mailboxMailer(folder: string, from: string, now: () => Date): SendMail {
  return async (id, mail) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { to, subject, text, html } = mail
    const sent: SentMail = { id, to, from, subject, text, html, sent_at: now().toISOString() }
    const unfinished = join(folder, `${id}.part`)
    await writeFile(unfinished, JSON.stringify(sent), { mode: 0o600 })
    await rename(unfinished, join(folder, `${id}.json`))
  }
}

/** The local mailbox's emails, newest first. If `to` is given, only emails sent to that address. */
export async function readMailbox(folder: string, to?: string): Promise<SentMail[]> {
  const files = await readdir(folder).catch(() => [])
  const texts = await Promise.all(
    // An email may be deleted in the meantime.
    files
      .filter((file) => file.endsWith('.json'))
      .map((file) => readFile(join(folder, file), 'utf8').catch(unlessMissing)),
  )
  return texts
    .flatMap((text) => (text === undefined ? [] : (JSON.parse(text) as SentMail)))
    .filter((mail) => to === undefined || mail.to.toLowerCase() === to.toLowerCase())
    .sort((a, b) => b.sent_at.localeCompare(a.sent_at))
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

export async function forgetMails(folder: string, isOld: (mail: SentMail) => boolean): Promise<void> {
  for (const mail of await readMailbox(folder))
    if (isOld(mail)) await rm(join(folder, `${mail.id}.json`), { force: true })
}

function domainOf(from: string): string {
  return /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
}
