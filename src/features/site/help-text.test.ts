// Checks the help page against the code, so that renaming a button or changing a limit makes a test here
// fail.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { KEEP_DAYS } from '#features/accounts/profile.ts'
import { TIMEOUT_MS } from '#features/accounts/inactivity.ts'
import { TOKEN_DAYS, UNANSWERED_DAYS } from '#features/connections/connection.ts'
import { MAX_WAYS } from '#features/payments/payment-way.ts'
import { PROVIDER_NAMES } from '#features/payments/payment-link.ts'
import { FORMER_ADDRESS_DAYS, NOT_ME_DAYS } from '#features/security/event.ts'
import { ANSWER_DAYS, REMINDER_DAYS, UNREMINDED_DAYS } from '#features/agreements/answer.ts'
import { HELP, textParts } from './help-text.ts'
import { DELETION_DAYS } from './promise.ts'

const TEXTS = HELP.sections.flatMap(({ questions }) =>
  questions.flatMap(({ ask, steps = [], answer }) => [ask, ...steps, ...answer]),
)
const WORDS = TEXTS.join('\n')

const SOURCES = ['src/features', 'src/main', 'src/platform/ui']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|help-text/.test(path))
  .map((path) => readFileSync(path, 'utf8').replaceAll('&amp;', '&'))

test('every button and page that the help mentions exists on a screen', () => {
  const screens = SOURCES.join('\n')
  const labels = new Set(TEXTS.flatMap(textParts).flatMap(({ words, isLabel }) => (isLabel ? [words] : [])))
  assert.ok(labels.size > 20)
  // In the source code, a label can be an element's entire text, a line by itself, or a quoted string.
  const isShown = (label: string) =>
    [`'${label}'`, `"${label}"`, `>${label}<`, ` ${label}\n`].some((written) => screens.includes(written))
  assert.deepEqual(
    [...labels].filter((label) => !isShown(label)),
    [],
  )
})

test('every link to the help leads to one of its sections', () => {
  const ids = HELP.sections.map(({ id }) => id)
  const linked = SOURCES.flatMap((text) =>
    [...text.matchAll(/<HelpLink topic="([^"]*)"|\/help#([a-z-]+)|smallPrint\(.*'([a-z-]+)'\)/g)].map(
      ([, ...found]) => found.join(''),
    ),
  )
  assert.ok(linked.length > 0)
  assert.deepEqual(
    linked.filter((id) => !ids.includes(id)),
    [],
  )
})

test('every limit that the help mentions is the real one', () => {
  for (const sentence of [
    `works for ${TOKEN_DAYS} days`,
    `within ${UNANSWERED_DAYS} days, it expires`,
    `after ${REMINDER_DAYS[0]} days and another after ${REMINDER_DAYS[1]}`,
    `After ${ANSWER_DAYS} days the session shows`,
    `or after ${UNREMINDED_DAYS} days if our reminders`,
    `up to ${MAX_WAYS}: a payment link from ${PROVIDER_NAMES}`,
    `after ${TIMEOUT_MS / 3_600_000} hours without activity`,
    `The link works for ${NOT_ME_DAYS} days`,
    `works for ${FORMER_ADDRESS_DAYS} days, and brings that address back`,
    `erased within ${DELETION_DAYS} days. Sign in within ${KEEP_DAYS} days`,
  ])
    assert.ok(WORDS.includes(sentence), sentence)
})
