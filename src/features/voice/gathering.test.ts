import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { type ExtractionInput, marked } from './extraction.ts'
import { isGathering } from './gathering.ts'

const FAMILY: Omit<ExtractionInput, 'transcript'> = {
  today: '2026-06-17' as CalendarDay,
  students: [{ id: 'maya', name: 'Maya' }],
  tutors: [{ id: 'sarah', name: 'Sarah Johnson', rate: null, subjects: [] }],
}
const isIt = (text: string, tutorKnown: boolean): boolean =>
  isGathering(marked(text, { ...FAMILY, transcript: text }), {
    tutorKnown,
    lesson: false,
    speakerTeaches: false,
  })

test('choir, church, clubs, teams and whole classes', () => {
  for (const text of [
    'maya was at choir rehearsal two hours and sarah was directing',
    'maya had ball practice with sarah for two hours',
    'sarah took the sunday school class for an hour maya liked it',
    'sarah ran the youth group for two hours and maya helped',
    'sarah taught a group of ten for an hour maya came by',
    "sarah's coaching with the under tens was an hour",
    'maya did a chess tournament with sarah six hours',
    'sarah taught the whole fellowship one hour maya was there',
    'sarah led the bible study on sunday for an hour',
    'the sermon by sarah was forty minutes',
    "sarah gave maya's whole class an hour",
    'sarah played the organ for an hour at the wedding',
    'parents evening at six to eight sarah first',
    'sarah coached the under nines maya went along two hours',
    'the carol service was an hour and sarah came',
    'mass was an hour maya served sarah read',
    'sarah coached the rec team for two hours maya scored',
    'maya took the state test on friday two hours',
    'maya rowing regatta on saturday four hours sarah came',
    "maya's t ball practice with sarah was an hour",
    'sarah read to the whole kids section for an hour and maya loved it',
    'maya sang at the feis three hours and sarah came',
    "maya's football was two hours sarah the ref",
    'maya had cricket nets with sarah an hour',
  ])
    assert.equal(isIt(text, true), true, text)
  for (const text of [
    'maya had an hour with sarah after choir practice',
    'the concert was long so maya had an hour with sarah after it',
    'after band practice maya had sarah for an hour',
    'maya had a group lesson with sarah for an hour',
    'sarah worked with maya at the youth club for an hour',
    'sarah led maya through fractions for an hour',
    'sarah taught maya the whole hour',
    'maya was at swim practice and then had an hour with sarah',
    'maya did reading practice with sarah for an hour',
    'maya took the practice test with sarah for two hours',
    'sarah took maya through a whole class of problems for an hour',
  ])
    assert.equal(isIt(text, true), false, text)
})

test('relatives, and the teachers of a school', () => {
  for (const text of [
    'maya sat with her nani for two hours looking at albums',
    'maya spent an hour with her uncle fixing the bike',
    'maya had a two hour math paper on friday',
    'dad did an hour of fractions with maya',
    'occupational therapy for maya an hour with ms dunn',
    'mr doyle made maya redo the test it took an hour',
    'form tutor had a word with maya for ten minutes',
    'maya had violin at school, a lesson at school for half an hour',
    "maya's teacher gave them a two hour test",
    'ms kim kept maya an hour after school on tuesday',
    "maya's piano exam with mr cole was half an hour",
  ])
    assert.equal(isIt(text, false), true, text)
  assert.deepEqual(
    [
      isIt('maya had an hour with sarah at her grandma house', true),
      isIt('sarah kept maya an hour after school', true),
      isIt('maya had an hour of math', false),
      isIt('maya monday one hour, her mother sat with us', false),
    ],
    [false, false, false, false],
  )
})
