// One plain look for every mail: words first, HTML escaped, one button at the most (promise I8).
import type { Mail } from './mailer.server.ts'

export interface MailContent {
  subject: string
  paragraphs: string[]
  /** Rows under the words, the last one in bold: what, and how much. */
  lines?: { text: string; amount: string }[]
  button?: { label: string; url: string }
  /** Words below the button. */
  after?: string[]
  footer?: string
  /** Ends mails of this kind; shown below the footer and told to mail programs. */
  unsubscribeUrl?: string
  /** A last link in small print, for who wants no such mails. */
  footerLink?: { label: string; url: string }
  replyTo?: string
}

/** Renders a mail as text and as HTML. Line breaks in the subject are refused by being taken out. */
export function renderMail(to: string, content: MailContent): Mail {
  const {
    paragraphs,
    lines = [],
    button,
    after = [],
    footerLink,
    footer = 'Tutorlog keeps track of private tutoring for families and tutors.',
    unsubscribeUrl,
  } = content
  const last = unsubscribeUrl ? { label: 'No more mails like this one', url: unsubscribeUrl } : footerLink
  const text = [
    ...paragraphs,
    ...(lines.length > 0 ? [lines.map(inText).join('\n')] : []),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...after,
    `--\n${footer}`,
    ...(last ? [`${last.label}:\n${last.url}`] : []),
  ].join('\n\n')
  const inHtml = (paragraph: string) =>
    `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(paragraph)}</p>`
  const rows = paragraphs.map(inHtml)
  if (lines.length > 0)
    rows.push(
      `<table role="presentation" style="width:100%;border-collapse:collapse;margin:0 0 16px">${lines.map(lineRow).join('')}</table>`,
    )
  if (button) {
    rows.push(
      `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="display:inline-block;background:#2650c9;color:#ffffff;text-decoration:none;font-weight:600;padding:14px 24px;border-radius:14px">${escapeHtml(button.label)}</a></p>`,
      `<p style="margin:0 0 16px;font-size:14px;color:#5a6870;overflow-wrap:anywhere;word-break:break-word">If the button does not work, copy this address: <br>${escapeHtml(button.url)}</p>`,
    )
  }
  rows.push(...after.map(inHtml))
  const small = last
    ? `<br><a href="${escapeHtml(last.url)}" style="color:#5a6870">${escapeHtml(last.label)}</a>`
    : ''
  const html = `<!doctype html><html lang="en"><body style="margin:0;background:#f3f5f1;padding:24px;font-family:-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5;color:#16232b"><div style="max-width:520px;margin:0 auto;background:#ffffff;border:1px solid #dce2d9;border-radius:20px;padding:28px"><p style="margin:0 0 20px;font-size:20px;font-weight:700">Tutorlog</p>${rows.join('')}<p style="margin:24px 0 0;font-size:14px;color:#5a6870">${escapeHtml(footer)}${small}</p></div></body></html>`
  return {
    to,
    subject: content.subject.replaceAll(/[\r\n]+/g, ' '),
    text,
    html,
    ...(unsubscribeUrl ? { unsubscribeUrl } : {}),
    ...(content.replyTo ? { replyTo: content.replyTo } : {}),
  }
}

type Line = NonNullable<MailContent['lines']>[number]

function inText({ text, amount }: Line): string {
  return amount ? `${text}: ${amount}` : text
}

function lineRow({ text, amount }: Line, at: number, all: readonly Line[]): string {
  const isLast = at === all.length - 1
  const style = `padding:8px 0;border-top:1px solid #dce2d9;vertical-align:top${isLast ? ';font-weight:600' : ''}`
  return `<tr><td style="${style}">${escapeHtml(text)}</td><td style="${style};text-align:right;white-space:nowrap;padding-left:12px">${escapeHtml(amount)}</td></tr>`
}

/** Text made safe between tags and in attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
