// The help page's text about payments, papers and terms.
import type { HelpSection } from './help-section.ts'

export const PAYMENTS: HelpSection = {
  id: 'payments',
  heading: 'Payments and ways to pay',
  questions: [
    {
      ask: 'Does Tutorlog move money?',
      answer: [
        'No. You pay each other the way you always have. Tutorlog keeps track of what’s been paid and what’s still owed.',
      ],
    },
    {
      ask: 'How do I record a payment?',
      answer: [
        'Open **Payments** from the summary and tap **Record a payment**. If you’re connected, the ' +
          'other person is asked to confirm it: a tutor taps **Received**, and a family taps **Paid**. ' +
          'Until then, the payment is on its way and doesn’t change the balance.',
      ],
    },
    {
      ask: 'How do I add the cost of a book?',
      answer: [
        'Open **Payments** and tap **Add a charge**. It counts once the other person taps **Confirm**. If the amount ' +
          'or the date is wrong, they tap **Not right** and enter the right one, which you accept with one tap. A ' +
          'credit works the same way. By voice, say “plus 12 dollars for the book” after a session, and both are ' +
          'saved with one button.',
      ],
    },
    {
      ask: 'Why is there a charge that nobody typed?',
      answer: [
        'You agreed on it with your terms: a fee, a missed lesson, or the time that was kept for a lesson that was ' +
          'shorter than planned. Each says why, and counts once whoever pays confirms it. Until then, whoever is paid ' +
          'can open it under **Payments** and tap **Waive**.',
      ],
    },
    {
      ask: 'What’s the amount at the top?',
      answer: [
        'It’s what you owe, or what you’re owed, in all as of today. It’s the same on the dashboard, in the summary ' +
          'and under **Payments**. Tap the line below it to see how it adds up for each tutor, family or student.',
      ],
    },
    {
      ask: 'How is the balance calculated?',
      answer: [
        'It starts with the amount carried over, adds the sessions, and subtracts the payments. You both see ' +
          'the same balance. A payment from before you connected stays in your own records until you tap ' +
          '**Share**.',
      ],
    },
    {
      ask: 'How do prepaid hours work?',
      answer: [
        'Record a payment, choose **Prepaid hours**, and enter the number of hours and the price. From that day ' +
          'on, sessions use up those hours first. You’ll see a note when they’re almost used up.',
      ],
    },
    {
      ask: 'I’m a tutor. How do I tell families how to pay me?',
      answer: [
        'Open **Account settings** and tap **Add a payment option**. You can list up to 6: a payment link from ' +
          'PayPal, Venmo, Cash App, Revolut, Wise or Stripe, a bank account in the euro area or in Switzerland, ' +
          'a UPI ID, or a few words of your own. Only the owner of the practice can change the list.',
      ],
    },
    {
      ask: 'I’m a parent. How do I pay?',
      answer: [
        'When you owe something, **Payments** shows the tutor’s payment options, with the amount filled in ' +
          'where possible. After you pay, tap **I paid**.',
      ],
    },
  ],
}

export const PAPERS: HelpSection = {
  id: 'papers',
  heading: 'Receipts and invoices',
  questions: [
    {
      ask: 'I’m a tutor. How do I issue a receipt or an invoice?',
      steps: [
        'Open **Payments**, then **Receipts and invoices**, and tap **Add your details**.',
        'Tap **New paper** and choose the student, the program and the days.',
        'Read what is missing, fill it in, and issue the paper.',
      ],
      answer: [
        'Each paper gets the next number of the year. It has one line per lesson, the charges, and the payments that paid for them, the oldest first. The code at the bottom shows anyone that it’s genuine.',
      ],
    },
    {
      ask: 'Something on it is wrong. Can I change it?',
      answer: [
        'No, an issued paper never changes. Choose **Void and issue again**: the wrong one stays in the list as void, and the new one gets a number of its own.',
      ],
    },
    {
      ask: 'Will my program accept it?',
      answer: [
        'We compare the paper with what public pages say the program wants, and name what is missing before you issue it. Those pages can be out of date, and this is no tax advice: ask the program or your tax adviser.',
      ],
    },
    {
      ask: 'I’m a parent. Can I make a receipt myself?',
      answer: [
        'Yes, if your tutor allows it: under **Receipts and invoices**, or on the page that their emails lead to. Then open **Payments**, **Receipts and records**, and tap **New paper**. The receipt is in the tutor’s name with the tutor’s next number, and the tutor gets an email. The child’s name as enrolled and the program number stay with you.',
        'Otherwise, choose **Our own record**. It says what you and the tutor recorded, but it has no number and isn’t a receipt.',
      ],
    },
    {
      ask: 'What happens to the papers if I delete my account?',
      answer: [
        'They’re erased with it. Tax offices want them for years, so export your data first. If a family deletes its account, you keep your papers. A family keeps the receipts that it made in your name.',
      ],
    },
  ],
}

export const TERMS: HelpSection = {
  id: 'terms',
  heading: 'Terms',
  questions: [
    {
      ask: 'How do we agree on what a canceled lesson costs?',
      steps: [
        'Open the page of the student or tutor and find **Terms**.',
        'Choose where to start from, change what’s different, and tap **Read it back**.',
        'Tap **Propose**. The other side reads the same sentences and taps **Agree**.',
      ],
      answer: [
        'They apply from the day on which the other side agrees. Until then, and until you both agree to new ones, what you agreed before applies.',
      ],
    },
    {
      ask: 'Can we change or end them?',
      answer: [
        '**Change** proposes a new version. Ending them needs the other side’s consent. **Earlier terms** keeps what applied before.',
      ],
    },
  ],
}
