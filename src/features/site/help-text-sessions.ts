// The help page's text about logging sessions, by voice and offline, too.
import type { HelpSection } from './help-section.ts'

export const LOGGING: HelpSection = {
  id: 'logging',
  heading: 'Sessions, schedules and rates',
  questions: [
    {
      ask: 'What’s the quickest way to log a lesson?',
      answer: [
        'Tutors see all of today’s classes under **Today** and log those that have ended with one tap each, or all ' +
          'of them at once. In **Add Session**, a tap on a usual session that names a day, such as “yesterday,” ' +
          'logs it right away. If it was the wrong one, tap **Undo**.',
      ],
    },
    {
      ask: 'Can a schedule have several weekdays?',
      answer: [
        'Yes. Open **Schedules**, tap **Create Schedule**, and pick all the days. Each day can have its own time.',
      ],
    },
    {
      ask: 'When do you ask whether a class took place?',
      answer: [
        'After it ends, by email, if nobody has answered in the app. The link opens a page with **Yes** and **No**; ' +
          'opening it records nothing. Nothing is sent at night, from nine in the evening to eight in the morning your ' +
          'time, and at most one email an hour. Turn it off under **Emails** in your account settings, or with the link in the email.',
      ],
    },
    {
      ask: 'Can one child have another price, or a price per lesson?',
      answer: [
        'Yes. Open the child’s, student’s or tutor’s page and tap **Set a price**. It applies from the day you choose, ' +
          'per hour or per lesson of a length you state. Sessions you’ve already logged keep their price. The form ' +
          'and each session say which price counts.',
      ],
    },
    {
      ask: 'What if two children have a lesson together?',
      answer: [
        'When you add the session, choose the others under **Also in this lesson**. Each gets a session of its own. ' +
          'Each pays the full price, or they share one.',
      ],
    },
    {
      ask: 'I changed a rate. What about past sessions?',
      answer: [
        'They keep the rate they were logged with. Right after you change a rate, you’re asked whether it’s also ' +
          'for past sessions. You see since when, by how much the amounts change, and which sessions must be ' +
          'confirmed again. Closed months and sessions with their own rate stay as they are.',
      ],
    },
    {
      ask: 'Where do I see everything about one tutor, child or student?',
      answer: [
        'Tap the name in the list. The page shows the balance, schedule, rate and months, and all sessions with a ' +
          'search.',
      ],
    },
    {
      ask: 'Can I import the lessons in my calendar?',
      steps: [
        'Get your calendar’s file. Google Calendar: on a computer, Settings, Import & export, Export. ' +
          'Apple Calendar: on a Mac, File, Export. Outlook for Windows: File, Save Calendar.',
        'On the **Import** page, choose the file. A ZIP file from Google can stay as it is.',
        'Check the events that are lessons, and say whose they are. One answer holds for all events with the same title.',
        'Tap **Preview**, look it over, and import.',
      ],
      answer: [
        'Your calendar is read on your device. Only the lessons you choose are sent to us. Lessons that are already in ' +
          'your log aren’t added again.',
      ],
    },
    {
      ask: 'Can I change several sessions at once?',
      answer: [
        'Yes. In a list of sessions, tap **Select**, pick the ones you want, then confirm, export or delete them ' +
          'together. On a computer, the boxes under **Session Details** are always there, and a column’s header sorts by it.',
      ],
    },
    {
      ask: 'I’m a tutor. What do I need for my tax return?',
      answer: [
        'Open **Taxes** from the summary. It adds up what you received, by the day it was paid, and what you taught, by the ' +
          'day of the lesson: for a calendar year, a UK tax quarter, a school year or any days. **Payments as CSV** is ' +
          'the list behind it. This is no tax advice.',
      ],
    },
    {
      ask: 'How do I find a session?',
      answer: [
        'Type into the search at the top of the summary, or on the page of a tutor, child or student. It looks at ' +
          'subjects, summaries, homework, your own notes, names and days: “zoe fractions” or “march 2026” do. ' +
          '**Filters** narrow it to a person, a status, how a class ended, or a range of days. Nobody else’s notes are searched.',
      ],
    },
  ],
}

export const VOICE: HelpSection = {
  id: 'voice',
  heading: 'Voice',
  questions: [
    {
      ask: 'How do I log a session by voice?',
      steps: [
        'Open **Add Session** and choose **Voice Input**.',
        'Tap the microphone and say who had the lesson, with which tutor, when, and for how long: “Maya had an ' +
          'hour and a half of algebra with Ingrid on Tuesday.” You can record for up to two minutes.',
        'Tap again when you’re done, and check that everything was understood correctly.',
        'Tap **Use This Data** or **Edit & Review**. Both fill in the form.',
      ],
      answer: ['Nothing is saved until you tap **Add Session** in the form.'],
    },
    {
      ask: 'Something was understood wrong. How do I change it?',
      answer: [
        'Tap **Change something** on the card and say or type what’s wrong, such as “no, Friday” or “it was two ' +
          'hours”. The rest stays. You can also change everything in the form.',
        'If you choose another person than was understood, Tutorlog learns what you call them: “Next time, ' +
          '“Lachie” is Lachlan.” Tap **Undo** if it shouldn’t. **Names Tutorlog learned** in your account settings ' +
          'lists those names, and you can delete them there.',
      ],
    },
    {
      ask: 'Can I say a payment, too?',
      answer: [
        'Yes, after the session: “Maya had an hour with Ingrid today, I paid her 30 dollars.” The card then says “Record $30.00 ' +
          'paid”. Check it, and the payment is listed under “Saved with the session” and saved with the same button. An amount ' +
          'without “paid”, such as “at 40 dollars”, is the rate.',
      ],
    },
    {
      ask: 'Which languages can I use?',
      answer: [
        'Type or dictate in English or Spanish: “Maya tuvo una hora de álgebra con Ingrid el martes.” You can mix them. Other ' +
          'languages aren’t filled in; the card says “I read English and Spanish.” Recordings with the microphone on the page ' +
          'are heard in English. For Spanish, use your keyboard’s microphone.',
      ],
    },
    {
      ask: 'What if I can’t record?',
      answer: [
        'Type the same sentence, or dictate it with your keyboard’s microphone, and tap **Fill in the form**. ' +
          'This works even if recording is blocked or turned off.',
      ],
    },
    {
      ask: 'Do you keep my recording?',
      answer: [
        'No. It’s used to fill in one session and is never stored. It stays on the server you use, unless the ' +
          'operator of that server has set up a speech service elsewhere.',
      ],
    },
  ],
}

export const OFFLINE: HelpSection = {
  id: 'offline',
  heading: 'Working offline',
  questions: [
    {
      ask: 'What can I do offline?',
      answer: [
        'You can see everything as of the last time it loaded on this device, and you can log ' +
          'sessions. A line at the top tells you that you’re offline and how old the data is. You need ' +
          'to have opened the app online at least once and still be signed in: you’re signed out after ' +
          '2 hours without activity.',
      ],
    },
    {
      ask: 'When are my sessions sent?',
      answer: [
        'They wait on your device and are sent automatically once you’re back online with the app open. Each ' +
          'session is saved only once, no matter how many times it’s sent. If a session isn’t accepted, it ' +
          'stays in the list with the reason, and you can correct it or discard it.',
      ],
    },
    {
      ask: 'What if I sign out before they’re sent?',
      answer: [
        'You’ll get a warning first, because signing out deletes any sessions still waiting on the device. If ' +
          'you’re signed out for inactivity, they’re kept until you sign in again.',
      ],
    },
  ],
}
