import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FREE, REFUSED } from './free-lesson.ts'
import { find, lineOf } from './spoken-line.ts'

const isFree = (text: string): boolean =>
  [FREE, REFUSED].some((words) => find(lineOf(text), words).length > 0)

test('what says that nothing was paid', () => {
  for (const text of [
    'no charge',
    'it was free',
    'on the house',
    "he didn't charge us",
    "she wouldn't take a penny",
    "he didn't want paying",
    "didn't want any money for it",
    'refused payment',
    'refused to be paid',
    'would not accept any money',
    'turned down the money',
    'did it for nothing bless her',
    'an hour of maths for nothing',
    'out of the goodness of her heart',
    "she wouldn't let us pay",
    "wouldn't hear of being paid",
    "he's not charging us for that",
    "won't be billing us",
    'we paid nothing',
    'not charged',
    'his christmas present to us',
    'no money changed hands',
    'for $0',
    'as a favour',
    'an hour, free since i came late',
    'an hour, free because of the mixup',
    'she say no need pay',
    "she don't want money",
    'no need to pay this time',
    'it is a gift so no money',
    'it was just a present',
    'and said no money from us',
  ])
    assert.ok(isFree(text), text)
})

test('what only sounds like it', () => {
  for (const text of [
    "we didn't pay yet",
    "he didn't charge us more for it",
    "she didn't want paying until friday",
    'i have not paid him yet',
    'all that fuss was for nothing',
    'she is free now',
    'the app is free',
    "she wouldn't take a break",
    "he didn't need any help",
    'the invoice is unpaid',
    'a free period',
    'she is free because he cancelled',
    'there is no money left',
    'he had no money on him',
  ])
    assert.ok(!isFree(text), text)
})
