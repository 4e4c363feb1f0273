import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CalendarDay } from '#kernel/calendar-day.ts'
import { plainSpelling } from '#kernel/plain-spelling.ts'
import { inLatinLetters, latinForms, otherSpellings } from './name-spelling.ts'
import { read as readText } from './reading/read.ts'
import { loadWeights } from './reading/weights.server.ts'
import { vocabularyOf, spokenSentences } from './spoken-sentences.ts'
import { whoIsMeant } from './voice-form.ts'

const list = (names: string[]) => names.map((name) => ({ id: name, name }))

const weights = loadWeights()
function read(transcript: string, students: string[], subjects = ['Math']) {
  const tutors = ['David Chen', 'Frau Weiß'].map((name) => ({ id: name, name, rate: null, subjects }))
  const today = '2026-06-17' as CalendarDay
  const [first] = readText(weights, { transcript, today, students: list(students), tutors }).sessions
  return {
    studentId: null,
    tutorId: null,
    minutes: null,
    subject: null,
    suggestedStudentName: null,
    ...first,
  }
}

const CHILDREN =
  'Bjørn,Łukasz,Işıl,Weiß,李明,محمد,Дима,Семён,김민준,Mỹ,Søn,Æsa,Đặng Thu,さくら,علی‌رضا,राम,D’Angelo,Zoë'.split(
    ',',
  )

test('a name is recognized exactly as it is stored, in any letters, composed either way, large or small', () => {
  for (const name of CHILDREN)
    for (const typed of [name, name.normalize('NFD'), name.toLocaleUpperCase('tr'), name.toLowerCase()])
      for (const text of [
        `${typed} 1h math`,
        `an hour of math with Mr. Chen for ${typed} yesterday`,
        `${typed}'s math lesson took an hour`,
      ])
        assert.deepEqual(
          [read(text, [...CHILDREN, 'Maya']).studentId, read(text, [...CHILDREN, 'Maya']).minutes],
          [name, 60],
          text,
        )
})

test('a name is recognized without its accents and in Latin letters', () => {
  const cases = {
    Bjorn: 'Bjørn',
    lukasz: 'Łukasz',
    isil: 'Işıl',
    IŞIL: 'Işıl',
    Weiss: 'Weiß',
    Dima: 'Дима',
    Семен: 'Семён',
    Semyon: 'Семён',
    Minjun: '김민준',
    Aesa: 'Æsa',
    'Dang Thu': 'Đặng Thu',
    "d'angelo": 'D’Angelo',
    علیرضا: 'علی‌رضا',
  }
  const children = [
    'Bjørn',
    'Łukasz',
    'Işıl',
    'Weiß',
    'Дима',
    'Семён',
    '김 민준',
    'Æsa',
    'Đặng Thu',
    'D’Angelo',
    'علی‌رضا',
  ]
  for (const [typed, name] of Object.entries(cases))
    assert.equal(
      read(`${typed} had 1h of math`, children).studentId?.replace(' ', ''),
      name.replace(' ', ''),
      typed,
    )
})

test('a name is found even with other words attached to it', () => {
  for (const text of [
    '李明今天 1h math',
    '今天李明 1h math',
    'math 1h 和李明在家',
    '李明一起 1h with David Chen',
  ])
    assert.equal(read(text, ['李明', '王芳']).studentId, '李明', text)
  assert.equal(read('민준은 1h math', ['김 민준']).studentId, '김 민준')
})

test('if two names differ only in an accent, the one that was typed is chosen', () => {
  for (const name of ['Zoë', 'Zoe', 'Işıl', 'Isil', 'Дима', 'Dima'])
    assert.equal(
      read(`${name} had 1h of math`, ['Zoe', 'Zoë', 'Isil', 'Işıl', 'Dima', 'Дима']).studentId,
      name,
    )
  // The text matches neither name exactly, so both are offered.
  const { studentId, suggestedStudentName } = read('Zoé had 1h of math', ['Zoë', 'Zoè'])
  assert.deepEqual([studentId, suggestedStudentName], [null, 'Zoé'])
})

test('a title, a subject and an unknown name are read in their own letters too', () => {
  assert.equal(read('Maya had an hour with Frau Weiß', ['Maya']).tutorId, 'Frau Weiß')
  assert.equal(read('Maya had an hour with Frau Weiss', ['Maya']).tutorId, 'Frau Weiß')
  for (const [typed, subject] of [
    ['français', 'Français'],
    ['Francais', 'Français'],
    ['数学', '数学'],
  ] as const)
    assert.equal(read(`Maya ${typed} 1h`, ['Maya'], ['Français', '数学']).subject, subject)
  assert.equal(read('Øystein had an hour with David Chen', ['Maya', 'Ethan']).suggestedStudentName, 'Øystein')
  const people = ['Łukasz', 'Maya', 'Ethan', 'Noah', 'Zoe'].map((name) => ({ name }))
  assert.deepEqual(whoIsMeant(people, 'Lukash'), [{ name: 'Łukasz' }])
})

test('letters of other scripts are converted by sound, and those written without vowels stay', () => {
  assert.deepEqual(
    ['Дмитрий', 'Юлия', 'Щукин', 'Їжак', 'Γιώργος', '김민준', 'Straße', 'İpek', '李明'].map(inLatinLetters),
    ['dmitriy', 'yuliya', 'shchukin', 'yizhak', 'giorgos', 'gimminjun', 'strasse', 'ipek', 'li ming'],
  )
  assert.deepEqual(
    ['欧阳娜娜', '曾小贤', '曾', 'さくら', 'प्रिया', 'محمد', 'נועה', '€5'].map(inLatinLetters),
    ['ouyang nana', 'zeng xiaoxian', 'zeng', 'sakura', 'priya', 'محمد', 'נועה', '€5'],
  )
  assert.equal(plainSpelling('ĲSBRAND'), 'ijsbrand')
})

test('a speech engine gets every name that can be written in Latin letters, and no sentence with a gap for the others', () => {
  const names = { students: ['李明', 'Дима'], tutors: ['محمد'], subjects: ['שחמט'], rates: [] }
  assert.deepEqual(vocabularyOf(names).words.toSorted(), ['dima', "dima's", 'li', "li's", 'ming'])
  const sentences = spokenSentences(names, ['<STUDENT> had <SUBJECT|math> with <TUTOR>'], 500)
  assert.ok(sentences.some((sentence) => sentence.includes('dima')))
  assert.deepEqual(
    sentences.filter((sentence) => !/^[a-z' ]+$/.test(sentence) || sentence.includes('  ')),
    [],
  )
})

test('a Chinese, Arabic or Hebrew name may be written in Latin letters in the usual ways, and no everyday word is one', () => {
  const forms = {
    张伟: 'wei zhang zhangwei weizhang',
    李小明: 'xiaoming lixiaoming',
    欧阳娜娜: 'nana ouyang',
    محمد: 'mohammed muhammad mohamed mohammad mohamad mehmed',
    أحمد: 'ahmed ahmad',
    فاطمة: 'fatima fatma fatimah',
    حسين: 'hussein husayn hossein hussain',
    يوسف: 'yusuf youssef yousef',
    عمر: 'omar umar',
    عائشة: 'aisha aysha ayesha aishah',
    إبراهيم: 'ibrahim ebrahim',
    خديجة: 'khadija khadijah',
    زينب: 'zainab zaynab zeinab',
    مريم: 'maryam mariam miriam',
    'عبد الرحمن': 'abdulrahman abdurrahman abdelrahman',
    عبدالله: 'abdullah abdallah',
    ليلى: 'layla leila laila',
    هدى: 'huda hoda',
    سارة: 'sara sarah',
    علی‌رضا: 'alireza',
    נועה: 'noa noah',
    שרה: 'sara sarah',
    חיים: 'chaim haim',
  }
  for (const [name, written] of Object.entries(forms))
    for (const one of written.split(' ')) assert.match(one, latinForms(name), name)
  const words = 'had he have an hour math more mr read red sir no near all all me mom head has did'.split(' ')
  for (const name of Object.keys(forms))
    assert.deepEqual(
      words.filter((word) => latinForms(name).test(word)),
      [],
      name,
    )
})

test('a listed name in another script is recognized in Latin letters, and never yields to another person', () => {
  const cases: [string, string, string[]][] = [
    ['Wei', '张伟', ['Wendy', 'Maya']],
    ['Zhang Wei', '张伟', ['Zhanna', 'Maya']],
    ['wei zhang', '张伟', ['Wendy', 'Maya']],
    ['Xiao Ming', '李小明', ['Ming-Na', 'Maya']],
    ['Mohammed', 'محمد', ['Mohan', 'Maya']],
    ['muhammad', 'محمد', ['Mohan', 'Maya']],
    ['Fatima', 'فاطمة', ['Fay', 'Tima Lee']],
    ['Noa', 'נועה', ['Noah', 'Maya']],
    ['Priya', 'प्रिया', ['Petra', 'Maya']],
    ['张伟', 'Zhang Wei', ['Wendy', 'Maya']],
    ['محمد', 'Mohammed Ali', ['Mohan', 'Maya']],
  ]
  for (const [said, name, others] of cases)
    for (const text of [`${said} had 1h of math`, `an hour of math with Mr. Chen for ${said} yesterday`])
      assert.equal(read(text, [name, ...others]).studentId, name, text)
  // If it may be either, both are offered.
  const { studentId, suggestedStudentName } = read('Wei had 1h of math', ['张伟', 'Wei Chen'])
  assert.deepEqual([studentId, suggestedStudentName], [null, 'Wei'])
  // Words that would be pinyin aren't names.
  assert.equal(read('he had 1h of math with David Chen', ['何安', 'Maya']).studentId, null)
})

test('a name of vowels and a drawn-out word are compared at once', () => {
  // Trying every way to share out the letters would take minutes.
  assert.equal(otherSpellings(`${'اع'.repeat(15)}ب`)(`${'a'.repeat(60)}x`), false)
  assert.equal(otherSpellings('كق'.repeat(15))(`${'kkq'.repeat(12)}x`), false)
  assert.equal(otherSpellings('محمد')('Mohammmed'), true)
})
