export declare const OPERATIONS: {
    answer: string;
    context: string;
    extract: string;
    search: string;
    audit: {
        erase: string;
        export: string;
        list: string;
        verify: string;
    };
    chat: {
        complete: string;
    };
    doctor: {
        check: string;
        repair: string;
    };
    entities: {
        add: string;
        delete: string;
        get: string;
        list: string;
        listMentions: string;
        retag: string;
        retagMany: string;
        search: string;
        update: string;
    };
    episodes: {
        append: string;
        delete: string;
        get: string;
        list: string;
    };
    facts: {
        add: string;
        delete: string;
        get: string;
        list: string;
    };
    forgettings: {
        list: string;
        undo: string;
    };
    health: {
        deep: string;
        get: string;
    };
    jobs: {
        get: string;
        list: string;
        rerun: string;
        rerunMany: string;
    };
    keys: {
        create: string;
        list: string;
        revoke: string;
    };
    lifecycle: {
        run: string;
    };
    memories: {
        add: string;
        approve: string;
        delete: string;
        get: string;
        history: string;
        list: string;
        listReview: string;
        reject: string;
        restore: string;
        review: string;
        update: string;
    };
    models: {
        list: string;
    };
    people: {
        add: string;
        addAlias: string;
        get: string;
        list: string;
        listMemories: string;
        me: string;
        merge: string;
        removeAlias: string;
        undoMerge: string;
        update: string;
    };
    projects: {
        addMember: string;
        get: string;
        list: string;
        removeMember: string;
        save: string;
    };
    sessions: {
        get: string;
        list: string;
        save: string;
    };
    settings: {
        get: string;
        update: string;
    };
    topics: {
        delete: string;
        get: string;
        list: string;
        save: string;
    };
    usage: {
        get: string;
    };
    users: {
        get: string;
        profile: string;
        save: string;
    };
};
