// The layout of all emails: plain text first, escaped HTML, at most one button (promise I8).
import type { Mail } from './mailer.server.ts'

export interface MailContent {
  subject: string
  /** The name in the greeting. If empty, the greeting has no name; if undefined, there's no greeting. */
  greets?: string
  paragraphs: string[]
  /** Rows below the text, each with a description and an amount. The last row is bold. */
  lines?: { text: string; amount: string }[]
  button?: { label: string; url: string }
  /** Text below the button. */
  after?: string[]
  footer?: string
  /** Link to unsubscribe from this kind of email. Used in the footer and in a header for email clients. */
  unsubscribeUrl?: string
  /** The section of the help page about this email, linked in the small print. */
  helpUrl?: string
  /** The last link in the small print, for people who don't want these emails. */
  footerLink?: { label: string; url: string }
  replyTo?: string
}

/** Renders an email as text and HTML. Removes line breaks from the subject. */
export function renderMail(to: string, content: MailContent): Mail {
  const { greets, button, lines = [], after = [], footer = ABOUT, unsubscribeUrl, helpUrl } = content
  const greeting = greets === undefined ? [] : [greets ? `Hello ${greets},` : 'Hello,']
  const paragraphs = [...greeting, ...content.paragraphs]
  const last = unsubscribeUrl
    ? { label: 'Unsubscribe from emails like this', url: unsubscribeUrl }
    : content.footerLink
  const small = [...(helpUrl ? [{ label: 'How Tutorlog works', url: helpUrl }] : []), ...(last ? [last] : [])]
  const text = [
    ...paragraphs,
    ...(lines.length > 0 ? [lines.map(inText).join('\n')] : []),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...after,
    `--\n${footer}`,
    ...small.map(({ label, url }) => `${label}:\n${url}`),
  ].join('\n\n')
  const html = inPage([
    ...paragraphs.map(inHtml),
    ...(lines.length > 0 ? [tag('table', TABLE, lines.map(lineRow).join(''), ROLE)] : []),
    ...(button ? buttonRows(button) : []),
    ...after.map(inHtml),
    inSmallPrint('margin:24px 0 0', [escapeHtml(footer), ...small.map(smallLink)].join('<br>')),
  ])
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
type Link = NonNullable<MailContent['button']>

const ABOUT = 'Tutorlog keeps track of private tutoring for families and tutors.'
const TABLE = 'width:100%;border-collapse:collapse;margin:0 0 16px'
const ROLE = ' role="presentation"'
/** Dark-mode colors, for email clients that don't invert colors on their own. */
const DARK = [
  'body{background:#0f171c!important;color:#e7eeea!important}',
  '.card{background:#17222a!important;border-color:#2c3a43!important}',
  '.button{background:#8fb0ff!important;color:#0b1f52!important}',
  '.small,.small a{color:#a3b2ba!important}',
  'td{border-color:#2c3a43!important}',
].join('')
const PAGE = [
  'margin:0;background:#f3f5f1;padding:24px 12px;color:#16232b',
  "font-family:-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5",
].join(';')
const CARD =
  'max-width:520px;margin:0 auto;background:#ffffff;border:1px solid #dce2d9;border-radius:20px;padding:28px 24px'
const BUTTON = [
  'display:inline-block;background:#2650c9;color:#ffffff;text-decoration:none;font-weight:600',
  'padding:14px 24px;border-radius:14px',
].join(';')

/**
 * Renders an element with inline styles.
 * @param more other attributes, starting with a space
 */
function tag(name: string, style: string, inside: string, more = ''): string {
  return `<${name}${more} style="${style}">${inside}</${name}>`
}

function inPage(rows: readonly string[]): string {
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${DARK}}</style>`,
  ].join('')
  const brand = tag('p', 'margin:0 0 20px;font-size:20px;font-weight:700', 'Tutorlog')
  const card = tag('div', CARD, brand + rows.join(''), ' class="card"')
  return `<!doctype html><html lang="en"><head>${head}</head>${tag('body', PAGE, card)}</html>`
}

function inHtml(paragraph: string): string {
  return tag('p', 'margin:0 0 16px;white-space:pre-line;overflow-wrap:anywhere', escapeHtml(paragraph))
}

function buttonRows({ label, url }: Link): string[] {
  const link = tag('a', BUTTON, escapeHtml(label), ` class="button" href="${escapeHtml(url)}"`)
  const address = `If the button doesn't work, copy this address into your browser: <br>${escapeHtml(url)}`
  return [
    tag('p', 'margin:24px 0', link),
    inSmallPrint('margin:0 0 16px;overflow-wrap:anywhere;word-break:break-word', address),
  ]
}

function inSmallPrint(style: string, inside: string): string {
  return tag('p', `${style};font-size:14px;color:#5a6870`, inside, ' class="small"')
}

function smallLink({ label, url }: Link): string {
  return tag('a', 'color:#5a6870', escapeHtml(label), ` href="${escapeHtml(url)}"`)
}

function inText({ text, amount }: Line): string {
  return amount ? `${text}: ${amount}` : text
}

function lineRow({ text, amount }: Line, at: number, all: readonly Line[]): string {
  const isLast = at === all.length - 1
  const style = `padding:8px 0;border-top:1px solid #dce2d9;vertical-align:top${isLast ? ';font-weight:600' : ''}`
  const right = `${style};text-align:right;white-space:nowrap;padding-left:12px`
  return `<tr>${tag('td', style, escapeHtml(text))}${tag('td', right, escapeHtml(amount))}</tr>`
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
