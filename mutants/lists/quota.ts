import type { Mutant } from '../mutant.ts';

const tests = ['tests/errors/upload.test.ts'];

export const mutants: Mutant[] = [
  {
    fault: 'why one file was refused stands beside the next that is chosen',
    file: 'web/upload/upload-form.tsx',
    find: "    form.forgetError('file');\n    form.forgetError('');",
    replace: "    form.forgetError('file');",
    tests,
    titles: 'quota.*is refused in clear words',
  },
  {
    fault: 'why a file was refused stands beside a web address',
    file: 'web/upload/upload-form.tsx',
    find: "if (part.kind) form.forgetError('');",
    replace: '',
    tests,
    titles: 'quota.*is refused in clear words',
  },
  {
    fault: 'the page names another file than the one that is sent',
    file: 'web/upload/file-picker.tsx',
    find: 'if (chosen?.length && !rest.disabled)',
    replace: 'if (chosen?.length)',
    tests,
    titles: 'quota.*is none after a first one was canceled',
  },
  {
    fault: 'trouble with a canceled upload is said of the next one',
    file: 'web/upload/upload-file.ts',
    find: 'if (passing && !ended.signal.aborted)',
    replace: 'if (passing)',
    tests,
    titles: 'quota.*is none after a first one was canceled',
  },
  {
    fault: 'a canceled upload takes the room of the next one',
    file: 'web/upload/upload-file.ts',
    find: '    await deletion;',
    replace: '',
    tests,
    titles: 'quota.*is none after a first one was canceled',
  },
  {
    fault: 'an upload canceled while it waits takes the room of the next one',
    file: 'web/upload/upload-file.ts',
    find: 'Promise.all([deletion, deleted])',
    replace: 'deleted',
    tests,
    titles: 'quota.*is none after a first one was canceled',
  },
  {
    fault: 'an upload goes on with what is being deleted',
    file: 'web/upload/upload-file.ts',
    find: '      void forget();\n      release(',
    replace: '      release(',
    tests,
    titles: 'quota.*is none while a first one',
  },
  {
    fault: 'where a web address is to be sold, the file that was chosen before is',
    file: 'web/upload/use-new-link.ts',
    find: "kind === 'file' ? await queue.run() : null;",
    replace: 'state.files.length > 0 ? await queue.run() : null;',
    tests,
    titles: 'at the very last step',
  },
];
