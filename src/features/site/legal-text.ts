// The words of the terms and of the privacy policy; product.md section 1 says what each promises.

export const TERMS = {
  title: 'Terms of Service',
  sections: [
    ['What Tutorlog is', 'Tutorlog is a record of private tutoring, kept by families and tutors: children, tutors, sessions, schedules and monthly totals.'],
    ['Who may use it', 'You are at least 18 years old, or you have the consent of a parent or guardian. You are responsible for what is entered in your account and for keeping your password to yourself.'],
    ['Free trial', 'Every account starts with a free trial of 45 days. No credit card is asked for.'],
    ['Subscription', 'After the trial, writing needs a paid subscription, monthly or yearly, processed by a card payment provider. It renews automatically until you cancel it. You cancel in your account settings; the cancellation takes effect at the end of the paid period, and there are no refunds for partial periods.'],
    ['Without a subscription', 'When the trial is over you can still read, export and delete everything. Nothing is ever deleted for not paying.'],
    ['Referrals', 'You may invite friends. When an invited friend confirms an account, both of you are rewarded as described in the app. One reward is given for each friend, and none for yourself.'],
    ['Your data', 'What you enter stays yours. You can export it at any time, and you can delete your account and with it your data.'],
    ['Changes', 'When these terms change, we tell you by email 30 days before the change takes effect.'],
  ],
} as const

export const PRIVACY = {
  title: 'Privacy Policy',
  sections: [
    ['What we keep', 'Your email address, your name if you give one, and what you enter: names, grades and notes of children or students, tutors and their contact details, sessions and schedules. Your password is kept only as a hash.'],
    ['Children', 'We collect no data directly from children under 13. Parents, guardians and tutors enter what is recorded about a child.'],
    ['Voice', 'A recording is used to fill in one session and is never stored.'],
    ['Whom we share it with', 'Nobody buys or rents your data. A payment provider handles cards; a mail server delivers our mails. Pages load nothing from other companies.'],
    ['Where it is processed', 'Data is processed in the United States.'],
    ['How long we keep it', 'The data of cancelled accounts is deleted within 30 days. Session and usage logs are kept for up to 12 months.'],
    ['Your rights', 'You can see, correct, export and delete your data in the app.'],
    ['Changes', 'When this policy changes, we tell you by email 30 days before the change takes effect.'],
  ],
} as const
