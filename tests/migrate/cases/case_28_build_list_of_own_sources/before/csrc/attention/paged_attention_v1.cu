void own() {}
