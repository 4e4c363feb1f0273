// The script of verify.html: checks a chosen or dropped file in the browser, without any request.
import { checkedWords, type CheckedWords } from '#features/months/checked-words.ts'
import { checkPage, readKeys } from '#features/months/page-check.ts'
import type { KeysFile, PublishedKey } from '#features/months/signed-page.ts'

type Child = Node | string | null

/** An element with a class and children. What a page says only ever becomes text. */
function part(tag: string, className: string, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.append(...children.filter((child) => child !== null))
  return element
}

const byId = (id: string) => {
  const found = document.getElementById(id)
  if (!found) throw new Error(`${id} is missing`)
  return found
}

const trusted: (PublishedKey & { origin: string })[] = []
let last: { name: string; bytes: Uint8Array } | undefined

function trust(file: KeysFile): void {
  for (const key of file.keys)
    if (!trusted.some(({ id }) => id === key.id)) trusted.push({ ...key, origin: file.origin })
  const origins = [...new Set(trusted.map(({ origin }) => origin))]
  byId('keys').textContent =
    trusted.length === 0
      ? 'This file has no keys. Add the file of keys of the site that your page is from.'
      : `It knows ${trusted.length} ${trusted.length === 1 ? 'key' : 'keys'} of ${origins.join(' and ')}.`
}

const BADGES: Partial<Record<CheckedWords['answer'], [look: string, label: string]>> = {
  genuine: ['b-ok', 'Genuine'],
  unknown_key: ['b-warn', 'Not known'],
}

function shownWords(name: string, words: CheckedWords): HTMLElement {
  const [look, label] = BADGES[words.answer] ?? ['b-err', 'Not genuine']
  const heading = part('h2', 'mt-3', words.title)
  heading.tabIndex = -1
  return part(
    'section',
    'mt-8',
    part('p', `bdg ${look}`, label),
    heading,
    part('p', 'mt-1 text-small text-ink-3', name),
    part('p', 'mt-3 text-ink-2', words.text),
    words.signatures.length > 0 ? part('h3', 'mt-6', 'Signatures') : null,
    words.signatures.length > 0
      ? part(
          'ul',
          'mt-2',
          ...words.signatures.map(({ whose, text, isGood }) =>
            part(
              'li',
              'flex gap-2 border-b border-line py-2',
              // A mark besides the color; the words say it too.
              hidden(part('span', isGood ? 'text-ok' : 'text-danger', isGood ? '✓' : '✗')),
              part('span', '', `${whose} ${text}`),
            ),
          ),
        )
      : null,
    ...(words.page ? shownPage(words.page) : []),
  )
}

function hidden(element: HTMLElement): HTMLElement {
  element.ariaHidden = 'true'
  return element
}

function shownPage(page: NonNullable<CheckedWords['page']>): HTMLElement[] {
  const link = part('a', 'link', page.url)
  link.setAttribute('href', page.url)
  link.setAttribute('rel', 'noreferrer')
  return [
    part('h3', 'mt-8', page.month),
    part('p', 'text-ink-2', page.names),
    pairs(page.figures),
    part('h3', 'mt-6', 'Answers'),
    ...page.answers.map(([side, text]) => part('p', 'mt-2', part('strong', '', `${side}. `), text)),
    ...page.lists.flatMap(([title, lines]) => [
      part('h3', 'mt-6', title),
      part(
        'ul',
        'mt-2',
        ...lines.map(({ day, what, amount }) =>
          part(
            'li',
            'flex gap-4 border-b border-line py-2',
            part('span', 'num w-16 shrink-0', day),
            part('span', 'min-w-0 flex-1 break-words', what),
            part('span', 'num font-semibold', amount),
          ),
        ),
      ),
    ]),
    part(
      'p',
      'mt-6 text-ink-2',
      'While the server is there, it tells whether the month was reopened: ',
      link,
    ),
  ]
}

function pairs(figures: [string, string][]): HTMLElement {
  return part(
    'dl',
    'mt-3',
    ...figures.map(([label, figure]) =>
      part(
        'div',
        'flex justify-between gap-4 border-b border-line py-2',
        part('dt', 'text-ink-2', label),
        part('dd', 'num font-semibold', figure),
      ),
    ),
  )
}

async function check(name: string, bytes: Uint8Array): Promise<void> {
  last = { name, bytes }
  const result = byId('result')
  try {
    const shown = shownWords(name, checkedWords(await checkPage(bytes, trusted), trusted))
    result.replaceChildren(shown)
    shown.querySelector('h2')?.focus()
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    const text = 'This browser can’t check signatures of this kind (Ed25519). Use a newer one.'
    result.replaceChildren(part('p', 'form-alert mt-6', text))
  }
}

async function take(file: File | undefined): Promise<void> {
  if (!file) return
  const bytes = new Uint8Array(await file.arrayBuffer())
  const keys = bytes[0] === '{'.charCodeAt(0) ? await readKeys(new TextDecoder().decode(bytes)) : undefined
  if (!keys) return check(file.name, bytes)
  trust(keys)
  if (last) await check(last.name, last.bytes)
}

const input = byId('file') as HTMLInputElement
input.addEventListener('change', () => {
  void take(input.files?.[0]).finally(() => {
    // The same file can be chosen again.
    input.value = ''
  })
})
document.addEventListener('dragover', (event) => event.preventDefault())
document.addEventListener('drop', (event) => {
  event.preventDefault()
  void take(event.dataTransfer?.files[0])
})

const own = await readKeys(byId('own-keys').textContent)
if (own) trust(own)
