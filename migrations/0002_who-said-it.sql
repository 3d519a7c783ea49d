-- What a person said is found by it when that person is merged into another.
CREATE INDEX memories_stated ON memories (stated_by) WHERE stated_by is not null;
