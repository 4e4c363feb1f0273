// The form of a pair's price. It holds what was typed, so the amount and the minutes are strings.
import type { InputOf } from '#kernel/endpoint.ts'
import { amountInField, type Currency } from '#kernel/money.ts'
import { typedNumber } from '#kernel/typed-number.ts'
import type { AddPrice, ListedPrice } from './price.ts'

export interface PriceFields {
  /** "student tutor": the ids of the pair. */
  pair: string
  from: string
  amount: string
  per: 'hour' | 'lesson'
  lesson_minutes: string
}

export function fieldsOf(
  price: ListedPrice | undefined,
  pairs: readonly string[],
  today: string,
  currency: Currency,
): PriceFields {
  const [only = ''] = pairs.length === 1 ? pairs : []
  return {
    pair: price ? pairOf(price) : only,
    from: price?.from ?? today,
    amount: amountInField(price?.amount, currency),
    per: price && price.lesson_minutes !== null ? 'lesson' : 'hour',
    lesson_minutes: String(price?.lesson_minutes ?? 45),
  }
}

export function pairOf({ student_id, tutor_id }: { student_id: string; tutor_id: string }): string {
  return `${student_id} ${tutor_id}`
}

export function toPrice({
  pair,
  from,
  amount,
  per,
  lesson_minutes: minutes,
}: PriceFields): InputOf<typeof AddPrice> {
  const [student_id = '', tutor_id = ''] = pair.split(' ')
  return {
    student_id,
    tutor_id,
    from,
    amount: typedNumber(amount),
    lesson_minutes: per === 'lesson' ? (typedNumber(minutes) as number) : null,
  }
}
